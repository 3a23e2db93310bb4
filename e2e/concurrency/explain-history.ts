import assert from 'node:assert/strict';
import type { EntityKey, RecordedCall, Sight } from './entity-states.ts';
import type { Timeline } from './timelines.ts';

/** Where in an entity's timeline a call may have read it: positions of states, ascending. */
interface Seen {
  readonly entity: EntityKey;
  readonly positions: readonly number[];
}

/**
 * Decides whether all answers can result from executing the calls one after the other. The order of the audit rows is
 * the witness, for each entity by itself:
 * 1. exactly the writes that took effect have rows, and each changes what its request says;
 * 2. a write comes before everything that was sent after its answer;
 * 3. a read or a refusal fits a state that was current between its request and its answer, and no read shows an older state
 *    than a read that was answered before it was sent;
 * 4. a read that shows several entities never shows a part of a write.
 */
export class HistoryCheck {
  readonly #timelines: ReadonlyMap<EntityKey, Timeline>;
  readonly #calls: ReadonlyMap<string, RecordedCall>;
  /** For each entity, the reads so far and the position at which each fits. */
  readonly #reads = new Map<EntityKey, { readonly call: RecordedCall; readonly position: number }[]>();

  constructor(timelines: ReadonlyMap<EntityKey, Timeline>, calls: readonly RecordedCall[]) {
    this.#timelines = timelines;
    this.#calls = new Map(
      calls.flatMap((call) => (call.requestId === undefined ? [] : [[call.requestId, call]])),
    );
  }

  run(): void {
    for (const [entity, timeline] of this.#timelines) this.#checkRealTime(entity, timeline);
    for (const call of [...this.#calls.values()].toSorted((a, b) => a.sentAt - b.sentAt))
      this.#checkCall(call);
  }

  #checkRealTime(entity: EntityKey, { writers }: Timeline): void {
    let latest = -1;
    for (const writer of writers) {
      const { sentAt, answeredAt } = this.#calls.get(writer) ?? { sentAt: 0, answeredAt: Infinity };
      assert(
        answeredAt > latest,
        `a write of ${entity} comes before one that was answered before it was sent`,
      );
      latest = Math.max(latest, sentAt);
    }
  }

  #checkCall(call: RecordedCall): void {
    if (call.answered === undefined) return;
    const { effects = [], sights = [] } = call.explain(call.answered);
    const touched = new Set<EntityKey>(effects.map(({ entity }) => entity));
    for (const [entity, { writers }] of this.#timelines) {
      const rows = writers.filter((writer) => writer === call.requestId).length;
      assert(rows <= 1, `one row of ${entity} for ${describe(call)}`);
      if (touched.has(entity)) assert.equal(rows, 1, `a row of ${entity} for ${describe(call)}`);
      else if (call.answered.code !== 0) assert.equal(rows, 0, `no row of ${entity} for ${describe(call)}`);
    }
    for (const { entity, apply } of effects) {
      const { states, writers } = this.#timelineOf(entity);
      const position = writers.indexOf(String(call.requestId));
      const context = `${entity} after ${describe(call)} on ${JSON.stringify(states[position])}`;
      assert.deepEqual(withoutCounts(states[position + 1]), withoutCounts(apply(states[position])), context);
    }
    const seen = sights.map((sight) => this.#place(call, sight));
    for (const { entity, positions } of seen) {
      this.#reads.set(entity, [...(this.#reads.get(entity) ?? []), { call, position: positions[0] ?? 0 }]);
    }
    this.#checkWhole(
      call,
      seen.filter((_, index) => sights[index]?.apart !== true),
    );
  }

  /** Returns the positions at which what the call saw was true while it ran. */
  #place(call: RecordedCall, { entity, holds }: Sight): Seen {
    const { states, writers } = this.#timelineOf(entity);
    const times = writers.map((writer) => this.#calls.get(writer));
    const first = times.findLastIndex((write) => (write?.answeredAt ?? Infinity) < call.sentAt) + 1;
    const next = times.findIndex((write) => (write?.sentAt ?? -1) > call.answeredAt);
    const last = next === -1 ? states.length - 1 : next;
    const readBefore = (this.#reads.get(entity) ?? [])
      .filter((read) => read.call.answeredAt < call.sentAt)
      .map(({ position }) => position);
    const from = Math.max(first, ...readBefore);
    const positions = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index).filter(
      (position) => holds(states[position]),
    );
    const shown = states.slice(first, last + 1).map((state) => JSON.stringify(state));
    assert(
      positions.length > 0,
      `${describe(call)}: ${entity} was never so while the call ran, or only before an earlier read (${from} > ${first}):\n${shown.join('\n')}`,
    );
    return { entity, positions };
  }

  #checkWhole(call: RecordedCall, seen: readonly Seen[]): void {
    const bounds = new Map<string, { entity: EntityKey; before: boolean; after: boolean }[]>();
    for (const { entity, positions } of seen) {
      const [from = 0, to = 0] = [positions[0], positions.at(-1)];
      for (const [index, writer] of this.#timelineOf(entity).writers.entries()) {
        const shows = bounds.get(writer) ?? [];
        shows.push({ entity, before: to <= index, after: from > index });
        bounds.set(writer, shows);
      }
    }
    for (const [writer, shows] of bounds) {
      const without = shows.find(({ before }) => before);
      const including = shows.find(({ after }) => after);
      if (without === undefined || including === undefined) continue;
      const write = this.#calls.get(writer);
      assert.fail(
        `${describe(call)} shows ${including.entity} after and ${without.entity} before ${write === undefined ? writer : describe(write)}`,
      );
    }
  }

  #timelineOf(entity: EntityKey): Timeline {
    return this.#timelines.get(entity) ?? { states: [undefined], writers: [] };
  }
}

/** Leaves out what a request does not determine: the id of a new user and the counts. */
function withoutCounts(state: unknown): unknown {
  if (typeof state !== 'object' || state === null) return state;
  const { id, revision, rows, ...content } = state as Record<string, unknown>;
  return content;
}

function describe({ client, method, target, content, answered, sentAt, answeredAt }: RecordedCall): string {
  const answer = JSON.stringify(answered)?.slice(0, 600);
  return `client ${client}: ${method} ${target} ${JSON.stringify(content) ?? ''} [${sentAt}, ${answeredAt}] → ${answer}`;
}
