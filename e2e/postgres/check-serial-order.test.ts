import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkSerialOrder, type RecordedChange, type SentChange } from './check-serial-order.ts';

let step = 0;

/** In sequence, unless the positions are given. */
function sent(requestId: string, kind: SentChange['kind'], codes: string[], rest: Partial<SentChange> = {}) {
  return {
    requestId,
    kind,
    codes,
    code: 0,
    sentAt: step++,
    answeredAt: step++,
    ...rest,
  } satisfies SentChange;
}

function recorded(requestId: string, added: string[], removed: string[] = []): RecordedChange {
  return { requestId, added, removed };
}

const replaced = sent('1', 'replace', ['A', 'B']);
const bound = sent('2', 'bind', ['C']);
const unbound = sent('3', 'unbind', ['A']);
const refused = sent('4', 'unbind', ['A'], { code: 1402 });
const all = [replaced, bound, unbound, refused];
const audit = [recorded('1', ['A', 'B']), recorded('2', ['C']), recorded('3', [], ['A'])];

describe('a set of stores', () => {
  test('that fits a serial order is accepted', () => {
    checkSerialOrder(all, audit, ['B', 'C']);
  });

  test('that mixes two replacements is not', () => {
    assert.throws(() => checkSerialOrder(all, audit, ['A', 'B', 'C']), /the final set/);
  });

  test('with an accepted change that nothing records, or one recorded twice, is not', () => {
    assert.throws(() => checkSerialOrder(all, audit.slice(1), ['B', 'C']), /has one audit row/);
    assert.throws(() => checkSerialOrder(all, [...audit, recorded('3', [])], ['B', 'C']), /one audit row/);
  });

  test('with a change that saw a different set than its position allows is not', () => {
    const stale = [recorded('1', ['A', 'B']), recorded('2', []), recorded('3', [], ['A'])];
    assert.throws(() => checkSerialOrder(all, stale, ['B', 'C']), /added by change 1/);
  });

  test('whose order contradicts the clock is not', () => {
    const swapped = [recorded('1', ['A', 'B']), recorded('3', [], ['A']), recorded('2', ['C'])];
    assert.throws(() => checkSerialOrder(all, swapped, ['B', 'C']), /answered before it was sent/);
  });

  test('with an unbinding refused while its store was bound is not', () => {
    const wrong = sent('5', 'unbind', ['B'], { code: 1402 });
    assert.throws(() => checkSerialOrder([...all, wrong], audit, ['B', 'C']), /B was bound all the time/);
  });
});
