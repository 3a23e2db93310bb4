import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockCheck } from './clock-check.ts';

const lookAt = (differenceMs: number | undefined) =>
  clockCheck({ clockDifferenceMs: () => differenceMs }).probe();

test('a clock within 30 seconds of the database, or not compared yet, is no problem', async () => {
  for (const differenceMs of [undefined, 0, 30_000, -30_000])
    assert.equal(await lookAt(differenceMs), undefined);
});

test('a clock more than 30 seconds ahead of or behind the database is a problem', async () => {
  for (const differenceMs of [30_001, -30_001])
    assert.match((await lookAt(differenceMs)) ?? '', /more than 30 seconds; set it by NTP/);
});
