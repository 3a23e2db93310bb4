import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildInfo } from './build-info.ts';
import { Distribution } from './distribution.ts';
import { addTotals, exposeSnapshots } from './metric-snapshot.ts';
import type { GaugeSource, MetricSource } from './metric-source.ts';
import { ServerMetrics } from './server-metrics.ts';

function gauge(
  name: string,
  read: GaugeSource['read'],
  ofWorkers: GaugeSource['ofWorkers'] = 'sum',
): MetricSource {
  return { type: 'gauge', name, help: name, ofWorkers, read };
}

function counter(name: string, value: number): MetricSource {
  return { type: 'counter', name, help: name, read: () => value };
}

async function snapshotOf(...sources: readonly MetricSource[]) {
  const metrics = new ServerMetrics(sources, 10);
  try {
    return await metrics.snapshot();
  } finally {
    metrics.stop();
  }
}

/** Returns the lines of the metrics whose names begin with `test_`. */
async function linesOf(...snapshots: Awaited<ReturnType<typeof snapshotOf>>[]): Promise<string[]> {
  const { text } = await exposeSnapshots(snapshots);
  return text.split('\n').filter((line) => line.startsWith('test_'));
}

test('a gauge that fails, hangs or knows no number is left out; the others stay', async () => {
  const snapshot = await snapshotOf(
    gauge('test_fails', () => {
      throw new Error('the database is away');
    }),
    gauge('test_rejects', () => Promise.reject(new Error('the database is away'))),
    gauge('test_hangs', () => new Promise(() => {})),
    gauge('test_unknown', () => undefined),
    gauge('test_known', async () => 4),
  );
  assert.deepEqual(await linesOf(snapshot), ['test_known 4']);
});

test('the values of workers are merged: counters are added, gauges by their own rule', async () => {
  const worker = (value: number, others: readonly MetricSource[] = []) =>
    snapshotOf(
      counter('test_calls_total', value),
      gauge('test_sum', () => value),
      gauge('test_max', () => value, 'max'),
      gauge('test_min', () => value, 'min'),
      ...others,
    );
  assert.deepEqual(await linesOf(await worker(2), await worker(5)), [
    'test_calls_total 7',
    'test_sum 7',
    'test_max 5',
    'test_min 2',
  ]);
});

test('counters and histograms of an ended worker remain, and its gauges disappear', async () => {
  const distribution = new Distribution([1, 2]);
  for (const value of [1, 2, 3]) distribution.observe(value);
  const worker = () =>
    snapshotOf(
      counter('test_calls_total', 2),
      gauge('test_queue', () => 9),
      {
        type: 'histogram',
        name: 'test_sizes',
        help: 'Sizes',
        read: () => [{ distribution }],
      },
    );
  const ended = await addTotals(await addTotals([], await worker()), await worker());
  assert.deepEqual(await linesOf(ended, await worker()), [
    'test_calls_total 6',
    'test_sizes_bucket{le="1"} 3',
    'test_sizes_bucket{le="2"} 6',
    'test_sizes_bucket{le="+Inf"} 9',
    'test_sizes_sum 18',
    'test_sizes_count 9',
    'test_queue 9',
  ]);
});

test('workers of two releases show both, each once', async () => {
  const worker = (release: string) => snapshotOf({ ...buildInfo(release), name: 'test_info' });
  const lines = await linesOf(await worker('0.1.0'), await worker('0.2.0'), await worker('0.2.0'));
  assert.deepEqual(lines.toSorted(), ['test_info{release="0.1.0"} 1', 'test_info{release="0.2.0"} 1']);
});
