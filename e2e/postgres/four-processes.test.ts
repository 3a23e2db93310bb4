import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openTestPostgres, type TestPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { expectFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { countAuditEvents, readRows } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { type Answer, type Credentials, type SignedCall, SignedClient, signCall } from '../signed-client.ts';
import { checkSerialOrder, type RecordedChange, type SentChange } from './check-serial-order.ts';

const processes = 4;
const copies = 1_000;
const batches = 50;
const bindings = 200;
/** Two seconds are promised. Other tests may keep the machine busy for longer. */
const honouredWithinMs = atScale({ bounded: 60_000, full: 2_000 });

let postgres: TestPostgres;
let directory: Provisioned;
let servers: ServerProcess[] = [];
let clients: SignedClient[] = [];

before(async () => {
  postgres = await openTestPostgres();
  directory = await provisionDirectory(24, await postgres.createMigratedDatabase());
  servers = await Promise.all(Array.from({ length: processes }, () => ServerProcess.start(directory)));
  clients = servers.map(({ url }) => new SignedClient(url, directory.credentials, copies / processes));
});

after(async () => {
  for (const client of clients) client.close();
  await Promise.all(servers.map((server) => server.kill()));
  await directory?.remove();
  await postgres.stop();
});

function clientOf(index: number): SignedClient {
  return clients[index % processes] as SignedClient;
}

/** Resends on 1503, after `Retry-After`: one application may not have so many writes waiting for long. */
async function untilTaken(client: SignedClient, call: SignedCall): Promise<Answer> {
  for (;;) {
    const answer = await client.exchange(call);
    if (answer.envelope.code !== 1503) return answer;
    await delay(Number(answer.headers['retry-after']) * 1000);
  }
}

test(`one of ${copies} parallel copies of a signed write to ${processes} processes takes effect, and the others answer 1015`, async () => {
  const content = { username: 'once', real_name: 'Once', store_codes: directory.storeCodes.slice(0, 9) };
  const call = clientOf(0).sign('POST', '/user/stores', content);
  const answers = await Promise.all(
    Array.from({ length: copies }, async (_, index) => (await untilTaken(clientOf(index), call)).envelope),
  );
  const counts = new Map<number, number>();
  for (const { code } of answers) counts.set(code, (counts.get(code) ?? 0) + 1);
  assert.deepEqual(Object.fromEntries(counts), { 0: 1, 1015: copies - 1 });
  const id = Number(answers.find(({ code }) => code === 0)?.data?.id);
  assert.equal(await countAuditEvents(directory, 'batch-update-user-stores', id), 1);
});

test(`${batches} batch replacements and ${bindings} binds and unbinds of one user at once, over ${processes} processes, end in a serial outcome`, async (t) => {
  const random = SeededRandom.ofRun();
  const username = 'contended';
  const created = await clientOf(0).call('POST', '/user/stores', { username });
  const userId = Number(created.data?.id);
  const plans = planChanges(random, userId, username);
  let step = 0;
  try {
    const sent = await Promise.all(
      plans.map(async ({ method, target, content, change }, index): Promise<SentChange> => {
        const sentAt = step++;
        const client = clientOf(index);
        const { status, headers, envelope, text } = await untilTaken(
          client,
          client.sign(method, target, content),
        );
        assert.equal(status, 200, text);
        return {
          ...change,
          sentAt,
          answeredAt: step++,
          code: envelope.code,
          requestId: String(headers['x-request-id']),
        };
      }),
    );
    const { data } = await clientOf(1).call('GET', `/user/store?user_id=${userId}`);
    const stores = (data as { stores: { code: string }[] }).stores.map(({ code }) => code);
    const recorded = await readChanges(userId);
    checkSerialOrder(sent, recorded, stores);
    const refused = sent.filter(({ code }) => code !== 0).length;
    t.diagnostic(
      `${recorded.length} applied, ${refused} unbinds of what was not bound, ${stores.length} stores at the end`,
    );
  } catch (error) {
    t.diagnostic(`seed ${random.seed}`);
    throw error;
  }
});

interface Plan {
  readonly method: string;
  readonly target: string;
  readonly content?: unknown;
  readonly change: Pick<SentChange, 'kind' | 'codes'>;
}

function planChanges(random: SeededRandom, userId: number, username: string): Plan[] {
  const replacements = Array.from({ length: batches }, (): Plan => {
    const codes = random.sample(directory.storeCodes, random.integer(0, 12)).toSorted();
    const content = { username, store_codes: codes };
    return { method: 'POST', target: '/user/stores', content, change: { kind: 'replace', codes } };
  });
  const single = Array.from({ length: bindings }, (): Plan => {
    const code = random.pick(directory.storeCodes);
    if (random.chance(0.5)) {
      const content = { user_id: userId, store_code: code };
      return { method: 'POST', target: '/user/store', content, change: { kind: 'bind', codes: [code] } };
    }
    const target = `/user/store?user_id=${userId}&store_code=${code}`;
    return { method: 'DELETE', target, change: { kind: 'unbind', codes: [code] } };
  });
  return random.sample([...replacements, ...single], batches + bindings);
}

/** Returns the audit rows of the user, in order, without the creation. */
async function readChanges(userId: number): Promise<RecordedChange[]> {
  const text = 'select request_id, changes from audit_event where user_id = ? order by id';
  const rows = await readRows(directory, text, BigInt(userId));
  return rows.slice(1).map(({ request_id, changes }) => {
    const { stores = {} } = JSON.parse(String(changes)) as {
      stores?: { added?: string[]; removed?: string[] };
    };
    return { requestId: String(request_id), added: stores.added ?? [], removed: stores.removed ?? [] };
  });
}

test(`a credential that the command issues, rotates or revokes is honoured by each of ${processes} processes within ${honouredWithinMs} ms`, async (t) => {
  const run = async (...words: string[]) =>
    JSON.parse(await expectFieldroster('app', ...words, ...directory.flags, '--json')) as {
      app_id: string;
      app_secret: string;
    };
  const tooks: number[] = [];
  const honoured = async (credentials: Credentials, code: number) => {
    tooks.push(
      Math.max(...(await Promise.all(servers.map((server) => untilAnswered(server, credentials, code))))),
    );
  };
  const { app_id: appId, app_secret } = await run('create', '--name', 'late');
  const first = { appId, appSecret: app_secret };
  await honoured(first, 1101);
  const second = { appId, appSecret: (await run('rotate', appId, '--old-expires-in', '0')).app_secret };
  await honoured(second, 1101);
  await honoured(first, 1014);
  await run('revoke', appId);
  await honoured(second, 1013);
  t.diagnostic(`honoured by the last process after ${tooks.map(Math.round).join(', ')} ms`);
});

/**
 * Returns after how many milliseconds the call was sent that the server answered with the code. When the answer comes
 * does not count: on a busy machine, it may come late to a call that was sent in time.
 */
async function untilAnswered(
  { url }: ServerProcess,
  credentials: Credentials,
  wanted: number,
): Promise<number> {
  const client = new SignedClient(url, credentials, 1);
  const startedAt = performance.now();
  try {
    for (;;) {
      const sentMs = performance.now() - startedAt;
      const { code } = await client.send(signCall(credentials, 'GET', '/user?username=nobody'));
      if (code === wanted) return sentMs;
      assert.ok(sentMs < honouredWithinMs, `still ${code} after ${sentMs} ms`);
      await delay(20);
    }
  } finally {
    client.close();
  }
}
