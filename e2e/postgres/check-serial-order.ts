import assert from 'node:assert/strict';

/** A change of one user's stores, as a client saw it. */
export interface SentChange {
  readonly kind: 'replace' | 'bind' | 'unbind';
  /** All codes to bind, or the one that is bound or unbound. */
  readonly codes: readonly string[];
  /** Position among all sends and answers. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly code: number;
  readonly requestId: string;
}

/** The same change as the audit records it. */
export interface RecordedChange {
  readonly requestId: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const notBound = 1402;

/**
 * Decides whether answers, audit and final set can result from a serial execution. The order of the audit
 * rows is the witness. The changes, applied in this order to an empty set, must
 * 1. be exactly those that were answered with 0, each once;
 * 2. each add and remove what its audit row says;
 * 3. end with the final set;
 * 4. come before everything that was sent after their answer.
 * A refused unbinding must fit between two of them where its store is not bound: after everything that was
 * answered before it was sent, and before everything that was sent after its answer.
 */
export function checkSerialOrder(
  sent: readonly SentChange[],
  recorded: readonly RecordedChange[],
  final: readonly string[],
): void {
  const byRequest = new Map(sent.map((change) => [change.requestId, change]));
  const order = recorded.map(({ requestId }) => byRequest.get(requestId));
  const accepted = sent.filter(({ code }) => code === 0);
  assert.deepEqual(
    recorded.map(({ requestId }) => requestId).toSorted(),
    accepted.map(({ requestId }) => requestId).toSorted(),
    'each accepted change has one audit row, and no other change has any',
  );
  const serial = order.filter((change) => change !== undefined);
  const states = replay(serial, recorded);
  assert.deepEqual([...(states.at(-1) ?? [])].toSorted(), final.toSorted(), 'the final set');
  checkRealTime(serial);
  for (const change of sent) if (change.code !== 0) checkRefusal(change, serial, states);
}

/** Returns the set before the first change, and after each. */
function replay(serial: readonly SentChange[], recorded: readonly RecordedChange[]): ReadonlySet<string>[] {
  const states: ReadonlySet<string>[] = [new Set()];
  for (const [index, change] of serial.entries()) {
    const before = states[index] ?? new Set();
    const after = apply(change, before);
    const { added, removed } = recorded[index] ?? { added: [], removed: [] };
    assert.deepEqual(added.toSorted(), [...after.difference(before)].toSorted(), `added by change ${index}`);
    assert.deepEqual(
      removed.toSorted(),
      [...before.difference(after)].toSorted(),
      `removed by change ${index}`,
    );
    if (change.kind === 'unbind')
      assert.ok(before.size > after.size, 'unbinding an unbound store is refused');
    states.push(after);
  }
  return states;
}

function apply({ kind, codes }: SentChange, before: ReadonlySet<string>): ReadonlySet<string> {
  const named = new Set(codes);
  if (kind === 'replace') return named;
  return kind === 'bind' ? before.union(named) : before.difference(named);
}

function checkRealTime(serial: readonly SentChange[]): void {
  let latestSend = -1;
  for (const { sentAt, answeredAt } of serial) {
    assert.ok(answeredAt > latestSend, 'a change comes before one that was answered before it was sent');
    latestSend = Math.max(latestSend, sentAt);
  }
}

function checkRefusal(
  { kind, codes: [store = ''], code, sentAt, answeredAt }: SentChange,
  serial: readonly SentChange[],
  states: readonly ReadonlySet<string>[],
): void {
  assert.deepEqual([kind, code], ['unbind', notBound]);
  const first = serial.findLastIndex((other) => other.answeredAt < sentAt) + 1;
  const next = serial.findIndex((other) => other.sentAt > answeredAt);
  const possible = states.slice(first, next === -1 ? undefined : next + 1);
  assert.ok(
    possible.some((bound) => !bound.has(store)),
    `${store} was bound all the time that its unbinding was refused`,
  );
}
