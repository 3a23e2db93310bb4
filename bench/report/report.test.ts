import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample, Scenario } from '../measurement.ts';
import { type Figure, markIsMet, spread, toFigure } from './figure.ts';
import { plotRatios } from './plot.ts';
import { formatReport } from './report.ts';
import type { Circumstances } from './results.ts';

/** Makes the figure of one round. */
function figureOf(measured: Sample, reference = measured, about: Partial<Scenario> = {}): Figure {
  const row = { name: 'a', title: 'A', comparedTo: 'B', ...about };
  return toFigure(row, { measured: [measured], reference: [reference], before: [] });
}

function reportOf(figure: Figure): string {
  const circumstances = { notes: 'PostgreSQL ran on core 0.', loadAverage: '1 2 3' };
  return formatReport([figure], circumstances as Circumstances);
}

test('a ratio is formed within each round, not between medians', () => {
  const measured = [{ value: 10 }, { value: 40 }, { value: 30 }];
  const reference = [{ value: 100 }, { value: 100 }, { value: 50 }];
  const { ratio } = toFigure({ name: 'a', title: 'A', comparedTo: 'B' }, { measured, reference, before: [] });
  assert.deepEqual(ratio, { median: 0.4, min: 0.1, max: 0.6 });
});

test('the median of an even number of rounds lies between the middle two', () => {
  assert.deepEqual(spread([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 });
});

test('failures of both sides are counted', () => {
  assert.equal(figureOf({ value: 1, failures: 2 }, { value: 1, failures: 3 }).failures, 5);
});

test('a promise is met at the mark and beyond it, in either direction, and not with failures', () => {
  const isMet = (value: number, about: Partial<Scenario>, failures = 0) =>
    markIsMet(figureOf({ value, failures }, { value: 2 }, about));
  const rate = { mark: 0.25 };
  assert.deepEqual([isMet(0.5, rate), isMet(0.49, rate), isMet(0.5, rate, 1)], [true, false, false]);
  const ratioOfTimes = { mark: 0.25, unit: 'ms' } as const;
  assert.deepEqual([isMet(0.5, ratioOfTimes), isMet(0.51, ratioOfTimes)], [true, false]);
  const time = { limit: 50, unit: 'ms' } as const;
  assert.deepEqual([isMet(50, time), isMet(51, time)], [true, false]);
  assert.equal(isMet(1, {}), undefined);
});

test('the ratio per CPU second ignores the time of other programs, and a latency has none', () => {
  const sides = [
    { value: 100, cpuShare: 0.5 },
    { value: 400, cpuShare: 1 },
  ] as const;
  assert.equal(figureOf(...sides).ratioPerCpu?.median, 0.5);
  assert.equal(figureOf(...sides, { unit: 'ms' }).ratioPerCpu, null);
});

test('the table shows latencies, processor time and memory of a server', () => {
  const sample = { value: 1, p50Ms: 11, p99Ms: 12, p999Ms: 13, cpuShare: 0.5, anonymousBytes: 7 * 2 ** 20 };
  assert.match(reportOf(figureOf(sample)), / 11 +12 +13 +0\.5 +7 +0$/m);
});

test('the report says whether a mark was met, and warns of failures', () => {
  const report = (failures: number) =>
    reportOf(figureOf({ value: 1, failures }, { value: 1 }, { mark: 0.5 }));
  assert.match(report(0), /≥ 0\.5 met/);
  assert.match(report(2), /≥ 0\.5 MISSED/);
  assert.match(report(2), /^A, compared to B: 2 failures; do not use this figure\.$/m);
});

test('the report says when the load generator or the core of PostgreSQL was the limit, and how it was measured', () => {
  const byLoad = reportOf(figureOf({ value: 1 }, { value: 1, loadCpuShare: 0.99 }));
  assert.match(byLoad, /^A, compared to B: the load generator was the limit/m);
  const byDatabase = reportOf(figureOf({ value: 1, loadCpuShare: 0.4, databaseCpuShare: 0.6 }));
  assert.match(byDatabase, /the core of PostgreSQL was the limit/);
  assert.doesNotMatch(byDatabase, /the load generator/);
  assert.match(byDatabase, /^PostgreSQL ran on core 0\.$/m);
});

test('the picture names each figure, its mark, and whether it is met', () => {
  const about = { title: 'A < B', comparedTo: 'C & D' };
  const sides = [{ value: 3 }, { value: 2 }] as const;
  const figures = [{ mark: 1 }, { limit: 4 }].map((promise) => figureOf(...sides, { ...about, ...promise }));
  const picture = plotRatios(figures, 'Caption');
  for (const text of ['A &lt; B', '3 req/s, by C &amp; D', '≥ 1 met', '≥ 4 req/s MISSED']) {
    assert.ok(picture.includes(`>${text}<`), text);
  }
  assert.match(picture, /prefers-color-scheme: dark/);
});
