import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../seeded-random.ts';
import { judgeSlope, type Sample, slopeOf } from './memory-slope.ts';

const hour = 3_600;

/** Samples every second of a value that starts at 100 and drifts, with noise of 20 at most. */
function samplesOf(seconds: number, growthPerHour: number, warmUp = 0): Sample[] {
  const random = new SeededRandom(19);
  return Array.from({ length: seconds }, (_, second) => ({
    hours: second / hour,
    value:
      100 +
      (growthPerHour * second) / hour +
      warmUp * Math.min(1, (4 * second) / seconds) +
      random.integer(-20, 20),
  }));
}

test('a value that only wavers does not grow, and the growth of a leak is found', () => {
  const steady = slopeOf(samplesOf(hour, 0));
  assert.ok(Math.abs(steady.perHour) < steady.uncertainty, JSON.stringify(steady));
  assert.equal(judgeSlope(steady, 16), 'steady');
  const leak = slopeOf(samplesOf(hour, 40));
  assert.ok(Math.abs(leak.perHour - 40) < 8, JSON.stringify(leak));
  assert.equal(judgeSlope(leak, 16), 'grows');
});

test('a run that is too short to tell is neither steady nor a leak', () => {
  for (const [perHour, verdict] of [
    [6, 'steady'],
    [7, 'unclear'],
    [26, 'unclear'],
    [27, 'grows'],
  ] as const)
    assert.equal(judgeSlope({ perHour, uncertainty: 10 }, 16), verdict, String(perHour));
});

test('growth in the first half, while caches fill, does not count', () => {
  assert.equal(judgeSlope(slopeOf(samplesOf(hour, 0, 300)), 16), 'steady');
});

test('a short run says that it is too short', () => {
  assert.throws(() => slopeOf(samplesOf(30, 0)), /30 samples are too few; run for longer/);
});
