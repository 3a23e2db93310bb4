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

test('turns handle fewer requests while verified ones are refused, and more again after that', () => {
  const { turns, turn } = startTurns(0, 0.01);
  const refusing = Array.from({ length: 7 }, () => {
    turns.noteBusy();
    turn();
    return turns.max;
  });
  assert.deepEqual(refusing, [64, 32, 16, 8, 4, 2, 2]);
  assert.deepEqual([turn(), turn(), turn()], [2, 6, 10]);
});

test('the pace does not count what the process did before its first turn', () => {
  let workedMs = 2_000;
  const turns = new TurnSize(() => workedMs);
  turns.begin();
  workedMs += 100;
  turns.endTurn(50);
  assert.equal(turns.perMs, 0.5);
});

/** Returns a function that ends a turn which took this long, and returns the size of the next one. */
function startTurnsByHand() {
  let workedMs = 0;
  const turns = new TurnSize(() => workedMs);
  const end = (tookMs: number, handled = turns.max) => {
    workedMs += tookMs;
    turns.endTurn(handled);
    return turns.max;
  };
  return { turns, end };
}

test('a turn of 16 ms is not too long, and one of 8 ms not too short', () => {
  const { turns, end } = startTurnsByHand();
  assert.equal(end(16), 128);
  turns.noteBusy();
  assert.deepEqual([end(16), end(8), end(7.9)], [64, 64, 68]);
});

test('a long turn with one request says nothing about their number, nor a short one without any', () => {
  const { turns, end } = startTurnsByHand();
  assert.equal(end(30, 1), 128);
  turns.noteBusy();
  assert.deepEqual([end(1), end(1, 0)], [64, 64]);
});

test('a smaller number has proved itself as soon as a turn is short enough, and the next long turn halves it again', () => {
  const { end } = startTurnsByHand();
  assert.deepEqual([end(32), end(16), end(32)], [64, 64, 32]);
});

test('a smaller number stays if it saves a quarter of the time, even if its turns are long', () => {
  const { end } = startTurnsByHand();
  end(32);
  assert.deepEqual(
    Array.from({ length: 6 }, () => end(24)),
    Array(6).fill(64),
  );
});

test('a number that was no cause of long turns is tried again after a second of work', () => {
  const { turn } = startTurns(20, 0);
  const handled = Array.from({ length: 58 }, turn);
  assert.deepEqual([handled.indexOf(128, 1), handled.indexOf(64, 7)], [7, 57]);
});

test('work is the processor time of the thread, in the program and in the system', (t) => {
  const used = { user: 0, system: 0 };
  t.mock.method(process, 'threadCpuUsage', () => ({ ...used }));
  const turns = new TurnSize();
  turns.begin();
  Object.assign(used, { user: 150_000, system: 50_000 });
  turns.endTurn(100);
  assert.equal(turns.perMs, 0.5);
});
