import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample, Scenario, Unit } from '../measurement.ts';
import { type Figure, loadWasTheLimit, markIsMet, spread, toFigure } from './figure.ts';
import { plotRatios } from './plot.ts';
import { formatReport } from './report.ts';
import type { Circumstances } from './results.ts';

const promised: Scenario = {
  name: 'a',
  title: 'A',
  comparedTo: 'B',
  unit: 'req/s',
  mark: 0.35,
  measured: () => Promise.reject(new Error('is not run here')),
  reference: () => Promise.reject(new Error('is not run here')),
};

test('a ratio is formed within each round, not between medians', () => {
  const measured = [{ value: 10 }, { value: 40 }, { value: 30 }];
  const reference = [{ value: 100 }, { value: 100 }, { value: 50 }];
  const { ratio } = toFigure(promised, { measured, reference });
  assert.deepEqual(ratio, { median: 0.4, min: 0.1, max: 0.6 });
});

test('the median of an even number of rounds lies between the middle two', () => {
  assert.deepEqual(spread([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 });
});

test('failures of both sides are counted', () => {
  const rounds = { measured: [{ value: 1, failures: 2 }], reference: [{ value: 1, failures: 3 }] };
  assert.equal(toFigure(promised, rounds).failures, 5);
});

test('a promised ratio is met at the mark and beyond it, in either direction', () => {
  const at = (value: number, unit: Unit) =>
    markIsMet(toFigure({ ...promised, unit }, { measured: [{ value }], reference: [{ value: 1 }] }));
  assert.deepEqual([at(0.35, 'req/s'), at(0.34, 'req/s')], [true, false]);
  assert.deepEqual([at(0.35, 'ms'), at(0.36, 'ms')], [true, false]);
});

test('a promised value is met up to the limit, independent of the ratio', () => {
  const at = (value: number) =>
    markIsMet(
      toFigure(
        { name: 'a', title: 'A', comparedTo: 'B', unit: 'ms', limit: 50 },
        { measured: [{ value }], reference: [{ value: 2 }] },
      ),
    );
  assert.deepEqual([at(50), at(51)], [true, false]);
});

test('the ratio per CPU second ignores the time of other programs', () => {
  const measured = [{ value: 100, cpuShare: 0.5 }];
  const reference = [{ value: 400, cpuShare: 1 }];
  assert.equal(toFigure(promised, { measured, reference }).ratioPerCpu?.median, 0.5);
});

test('a latency is not divided by processor time', () => {
  const rounds = { measured: [{ value: 1, cpuShare: 1 }], reference: [{ value: 1, cpuShare: 1 }] };
  assert.equal(toFigure({ ...promised, unit: 'ms' }, rounds).ratioPerCpu, null);
});

test('a load generator that uses its whole core is recognised', () => {
  const rounds = { measured: [{ value: 1 }], reference: [{ value: 1, loadCpuShare: 0.99 }] };
  assert.equal(loadWasTheLimit(toFigure(promised, rounds)), true);
});

const circumstances = {
  notes: ['PostgreSQL ran on core 0.'],
  loadAverage: [1, 2, 3],
} as unknown as Circumstances;

function figureOf(about: Partial<Figure>, sample: Sample): Figure {
  const scenario = { name: 'a', title: 'A', comparedTo: 'a', unit: 'req/s' } as const;
  return { ...toFigure(scenario, { measured: [sample], reference: [sample] }), ...about };
}

test('the table shows latencies, processor time and memory of a server', () => {
  const sample = { value: 1, p50Ms: 11, p99Ms: 12, p999Ms: 13, cpuShare: 0.5, anonymousBytes: 7 * 2 ** 20 };
  assert.match(formatReport([figureOf({}, sample)], circumstances), / 11 +12 +13 +0\.5 +7 +0$/m);
});

test('a figure with failures misses its mark', () => {
  const promised = { mark: 0.5 };
  const report = (failures: number) =>
    formatReport([figureOf({ ...promised, failures }, { value: 1 })], circumstances);
  assert.match(report(0), /≥ 0\.5 met/);
  assert.match(report(2), /≥ 0\.5 MISSED/);
});

test('the report warns of a figure with failures', () => {
  const report = formatReport([figureOf({}, { value: 1, failures: 2 })], circumstances);
  assert.match(report, /^A, compared to a: 4 failures; do not use this figure\.$/m);
});

test('the report says when the core of PostgreSQL was the limit, and where it ran', () => {
  const sample = { value: 1, loadCpuShare: 0.4, databaseCpuShare: 0.6 };
  const report = formatReport([figureOf({}, sample)], circumstances);
  assert.match(report, /the core of PostgreSQL was the limit/);
  assert.match(report, /^PostgreSQL ran on core 0\.$/m);
});

test('the picture names each figure, its mark, and whether it is met', () => {
  const about = { name: 'a', title: 'A < B', comparedTo: 'C & D', unit: 'req/s' } as const;
  const rounds = { measured: [{ value: 3 }], reference: [{ value: 2 }] };
  const figures = [toFigure({ ...about, mark: 1 }, rounds), toFigure({ ...about, limit: 4 }, rounds)];
  const picture = plotRatios(figures, 'Caption');
  for (const text of ['A &lt; B', '3 req/s, by C &amp; D', '≥ 1 met', '≥ 4 req/s MISSED']) {
    assert.ok(picture.includes(`>${text}<`), text);
  }
  assert.match(picture, /prefers-color-scheme: dark/);
});
