import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuditSearch } from './audit-search.ts';

test('a day that does not exist is no filter', () => {
  const search = { from: '2026-02-30', until: '2026-99-99', operation: 'createUser' };
  assert.deepEqual(readAuditSearch(search), { operation: 'createUser' });
});

test('a day of the calendar is a filter, also one that is only half typed', () => {
  for (const from of ['2024-02-29', '0026-01-31']) assert.deepEqual(readAuditSearch({ from }), { from });
});
