import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequestSearch } from './request-search.ts';

test('the days of the calendar are filters, and others are not', () => {
  const days = { from: '2024-02-28', until: '2024-02-29' };
  assert.deepEqual(readRequestSearch(days), days);
  assert.deepEqual(readRequestSearch({ from: '2026-02-30', until: 20260131, code: 1101 }), { code: 1101 });
});
