import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnSize } from './turn-size.ts';

/** @param fixedMs what a turn takes however few requests it handles */
function startTurns(fixedMs: number, perRequestMs: number) {
  let workedMs = 0;
  const turns = new TurnSize(() => workedMs);
  /** Runs a turn that has more requests than it may handle, and returns how many it handled. */
  const turn = () => {
    const handled = turns.max;
    workedMs += fixedMs + handled * perRequestMs;
    turns.endTurn(handled);
    return handled;
  };
  return { turns, turn };
}

test('turns handle fewer requests while they are long, and more while they are short', () => {
  const slow = startTurns(0, 5);
  assert.equal(Array.from({ length: 60 }, slow.turn).at(-1), 2);
  const fast = startTurns(0, 0.01);
  fast.turns.noteBusy();
  assert.deepEqual(Array.from({ length: 4 }, fast.turn), [128, 64, 68, 72]);
});

test('a turn that is long for other reasons than its requests handles as many as before', () => {
  const { turn } = startTurns(30, 0.01);
  const handled = Array.from({ length: 100 }, turn);
  assert.deepEqual(handled.slice(0, 9), [128, 64, 64, 64, 64, 64, 64, 128, 128]);
  assert.ok(handled.filter((count) => count < 128).length < 20, String(handled));
});

test('turns handle fewer requests while what is behind the signature refuses them, and more again after that', () => {
  const { turns, turn } = startTurns(0, 0.01);
  const refusing = Array.from({ length: 6 }, () => {
    turns.noteBusy();
    turn();
    return turns.max;
  });
  assert.deepEqual(refusing, [64, 32, 16, 8, 8, 8]);
  assert.deepEqual([turn(), turn(), turn()], [8, 12, 16]);
});

test('the pace does not count what the process did before its first turn', () => {
  let workedMs = 2_000;
  const turns = new TurnSize(() => workedMs);
  turns.begin();
  workedMs += 100;
  turns.endTurn(50);
  assert.equal(turns.perMs, 0.5);
});
