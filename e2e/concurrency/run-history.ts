import type { Provisioned } from '../provision-directory.ts';
import { readRows } from '../read-database.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { type Answer, NoAnswerError, type SignedClient } from '../signed-client.ts';
import { bulkPlans } from './bulk-calls.ts';
import type { Answered, EntityKey, EntityState, PlannedCall, RecordedCall } from './entity-states.ts';
import { HistoryCheck } from './explain-history.ts';
import { readPlans } from './read-calls.ts';
import { type AuditRow, replayRows } from './timelines.ts';
import { userPlans } from './user-calls.ts';
import type { World } from './world.ts';

const plans = [...userPlans, ...readPlans, ...bulkPlans].flatMap(([weight, plan]) =>
  Array.from({ length: weight }, () => plan),
);

/** Sends random calls of many clients, and keeps what each saw and when. */
export class History {
  readonly calls: RecordedCall[] = [];
  readonly #world: World;
  readonly #random: SeededRandom;
  /** Counts sends and answers, instead of using a clock. */
  #step = 0;

  constructor(world: World, random: SeededRandom) {
    this.#world = world;
    this.#random = random;
  }

  /** Sends one random call after the other, each to one of the connections. */
  async runClient(
    client: number,
    connections: readonly SignedClient[],
    goesOn: () => boolean,
  ): Promise<void> {
    while (goesOn()) {
      const plan = this.#random.pick(plans)(this.#world, this.#random);
      await this.send(client, this.#random.pick(connections), plan);
    }
  }

  async send(client: number, connection: SignedClient, plan: PlannedCall): Promise<Answered | undefined> {
    const call = connection.sign(plan.method, plan.target, plan.content);
    const sentAt = this.#step++;
    const answer = await connection.exchange(call).catch((error: unknown) => {
      if (error instanceof NoAnswerError) return undefined;
      throw error;
    });
    const answered = answer && answeredOf(answer);
    const requestId = answer && String(answer.headers['x-request-id']);
    const answeredAt = answer === undefined ? Infinity : this.#step++;
    this.calls.push({ ...plan, client, sentAt, answeredAt, answered, requestId });
    if (answered !== undefined) this.#world.learn(answered, plan.content);
    return answered;
  }

  /** Asserts that a sequential order explains every answer. Returns how many audit rows there are. */
  async check(directory: Provisioned, initial: ReadonlyMap<EntityKey, EntityState>): Promise<number> {
    const rows = await readAudit(directory);
    const byRequest = new Map(this.calls.map((call) => [call.requestId, call]));
    const timelines = replayRows(rows, initial, (requestId, username) => {
      const content = byRequest.get(requestId)?.content;
      // The row of a call without an answer is of no known request.
      const users = (content === undefined ? [] : (content.users ?? [content])) as {
        username?: string;
        password?: string;
      }[];
      return users.find((user) => user.username === username || users.length === 1)?.password;
    });
    new HistoryCheck(timelines, this.calls).run();
    return rows.length;
  }
}

function answeredOf({ envelope, headers }: Answer): Answered {
  const { etag } = headers;
  const { code, message, data = {} } = envelope;
  return { code, message, data, etag: etag === undefined ? undefined : Number(JSON.parse(etag)) };
}

async function readAudit(directory: Provisioned): Promise<AuditRow[]> {
  const text =
    'select operation, user_id, request_id, changes from audit_event where request_id is not null order by id';
  return (await readRows(directory, text)).map(({ operation, user_id, request_id, changes }) => ({
    operation: String(operation),
    userId: Number(user_id ?? 0),
    requestId: String(request_id),
    changes: JSON.parse(String(changes)),
  }));
}
