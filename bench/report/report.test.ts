import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from '../measurement.ts';
import { type Figure, toFigure } from './figure.ts';
import { formatReport } from './report.ts';
import type { Circumstances } from './write-results.ts';

const circumstances = {
  notes: ['PostgreSQL ran on core 0.'],
  loadAverage: [1, 2, 3],
} as unknown as Circumstances;

function figureOf(about: Partial<Figure>, sample: Sample): Figure {
  const scenario = { name: 'a', title: 'A', comparedTo: 'a', unit: 'req/s', better: 'higher' } as const;
  return { ...toFigure(scenario, { measured: [sample], reference: [sample] }), ...about };
}

test('latencies, processor time and memory of a server stand in the table', () => {
  const sample = { value: 1, p50Ms: 11, p99Ms: 12, p999Ms: 13, cpuShare: 0.5, residentBytes: 7 * 2 ** 20 };
  assert.match(formatReport([figureOf({}, sample)], circumstances), / 11 +12 +13 +0\.5 +7 +0$/m);
});

test('the engines of an operation stand beside each other', () => {
  const [sqlite, postgres] = [
    figureOf({ engine: 'SQLite' }, { value: 111 }),
    figureOf({ engine: 'PostgreSQL' }, { value: 222 }),
  ];
  assert.match(formatReport([sqlite, postgres], circumstances), /^A +A +111 +1 .* 222 +1 /m);
});

test('a promise is not met by a figure with failures', () => {
  const promised = { mark: 0.5 };
  const report = (failures: number) =>
    formatReport([figureOf({ ...promised, failures }, { value: 1 })], circumstances);
  assert.match(report(0), /≥ 0\.5 met/);
  assert.match(report(2), /≥ 0\.5 MISSED/);
});

test('each size of a directory has a table of its own', () => {
  const sized = (users: number, value: number) => figureOf({ engine: 'SQLite', users }, { value });
  const report = formatReport([sized(1_000, 111), sized(50_000, 222)], circumstances);
  assert.match(report, /^1,000 users\noperation.*\nA +A +111 [\s\S]*^50,000 users\noperation.*\nA +A +222 /m);
});

test('a figure with failures is told as one not to use', () => {
  const report = formatReport([figureOf({}, { value: 1, failures: 2 })], circumstances);
  assert.match(report, /^A, compared to a: 4 failures; the figure is not to be used\.$/m);
});

test('a database that had no processor time left is told, and so is where it ran', () => {
  const sample = { value: 1, loadCpuShare: 0.4, databaseCpuShare: 0.6 };
  const report = formatReport([figureOf({}, sample)], circumstances);
  assert.match(report, /the core that PostgreSQL ran on was the limit/);
  assert.match(report, /^PostgreSQL ran on core 0\.$/m);
});
