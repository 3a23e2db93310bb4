import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArrivalWatch, type Arriving, rateMin, windowMs } from './arrival-watch.ts';

function arriving(expectedBytes: number) {
  const body = { expectedBytes, receivedBytes: 0, waits: false, isCut: false, cut: () => {} };
  body.cut = () => {
    body.isCut = true;
  };
  return body satisfies Arriving;
}

function watched(...bodies: readonly Arriving[]) {
  let nowMs = 0;
  const watch = new ArrivalWatch(() => nowMs);
  for (const body of bodies) watch.add(body);
  return {
    watch,
    pass(ms: number) {
      nowMs += ms;
      watch.check();
    },
  };
}

test('a body that stops arriving is cut at the end of the window, and not before', () => {
  const body = arriving(1000);
  const { pass } = watched(body);
  pass(windowMs - 1);
  assert.equal(body.isCut, false);
  pass(1);
  assert.equal(body.isCut, true);
});

test('sending nearly everything at once does not extend the time', () => {
  const body = arriving(1_000_000);
  const { pass } = watched(body);
  body.receivedBytes = 999_999;
  pass(windowMs);
  assert.equal(body.isCut, false);
  pass(windowMs);
  assert.equal(body.isCut, true);
});

test('a body on a slow link continues as long as it arrives at the minimum rate', () => {
  for (const bytes of [60 * 1024, 1024 * 1024, 32 * 1024 * 1024]) {
    const body = arriving(bytes);
    const { pass } = watched(body);
    for (let windows = 0; windows < 6; windows++) {
      body.receivedBytes += (rateMin(bytes) * windowMs) / 1000;
      pass(windowMs);
      assert.equal(body.isCut, false);
    }
    body.receivedBytes += (rateMin(bytes) * windowMs) / 1000 - 1;
    pass(windowMs);
    assert.equal(body.isCut, true);
  }
});

test('a larger body must arrive faster, at a quarter of the rate that would complete it within a minute', () => {
  assert.equal(rateMin(1), 1024);
  assert.equal(Math.round(rateMin(32 * 1024 * 1024) / 1024), 137);
});

test('time in which the server makes a body wait does not count', () => {
  const body = { ...arriving(1000), waits: true };
  let cut = false;
  body.cut = () => {
    cut = true;
  };
  const { pass } = watched(body);
  pass(3 * windowMs);
  body.waits = false;
  pass(windowMs - 1);
  assert.equal(cut, false);
  pass(1);
  assert.equal(cut, true);
});

test('a complete body is no longer watched', () => {
  const body = arriving(1000);
  const { watch, pass } = watched(body);
  watch.remove(body);
  pass(10 * windowMs);
  assert.equal(body.isCut, false);
});
