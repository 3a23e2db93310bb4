import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallCounts } from './call-counts.ts';
import type { MetricSource } from './metric-source.ts';
import { signatureFailures } from './signature-failures.ts';

function samplesOf(source: MetricSource | undefined) {
  assert(source?.type === 'counter');
  const samples = source.read();
  return typeof samples === 'number' ? [{ value: samples }] : [...samples];
}

test('unknown operations and unknown codes share one label value each', () => {
  const counts = new CallCounts();
  for (const operation of ['made-up', 'another', undefined]) counts.noteAnswer(operation, 1005, 1);
  for (const code of [7, 8, 9_999]) counts.noteAnswer('query-user', code, 1);
  const [requests] = counts.metricSources();
  const seen = samplesOf(requests).filter(({ value }) => value > 0);
  assert.deepEqual(seen.map(({ labels }) => [labels?.operation, labels?.code]).sort(), [
    ['other', '1005'],
    ['query-user', 'other'],
  ]);
});

test('a request refused unseen counts as a failed one of no operation, and has no duration', () => {
  const counts = new CallCounts();
  counts.noteRefusedUnseen(1503);
  counts.noteRefusedUnseen(1429);
  const [requests, durations] = counts.metricSources();
  const seen = samplesOf(requests).filter(({ value }) => value > 0);
  assert.deepEqual(seen.map(({ labels, value }) => [labels?.operation, labels?.code, value]).sort(), [
    ['other', '1429', 1],
    ['other', '1503', 1],
  ]);
  assert(durations?.type === 'histogram');
  assert.deepEqual([...durations.read()], []);
});

test('signature failures are those of the headers by code, and of the signature by mistake', () => {
  const counts = new CallCounts();
  for (const code of [1011, 1012, 1012, 1013, 1014]) counts.noteAnswer('query-user', code, 1);
  const mistakes = new Map([['secret-case', 1]]);
  const samples = samplesOf(signatureFailures(counts, mistakes));
  assert.deepEqual(
    samples.map(({ labels, value }) => [labels?.cause, value]),
    [
      ['malformed-header', 1],
      ['expired', 2],
      ['unknown-application', 1],
      ['secret-case', 1],
    ],
  );
});
