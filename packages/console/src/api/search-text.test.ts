import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchText } from './search-text.ts';

test('a pasted text becomes a search that the server accepts', () => {
  for (const [typed, search] of [
    ['  Mara Okafor\n', 'Mara Okafor'],
    ['Ma\0ra\0', 'Mara'],
    ['\0', ''],
    ['x'.repeat(10_000), 'x'.repeat(100)],
    ['漢'.repeat(10_000), '漢'.repeat(100)],
    ['🏳'.repeat(10_000), '🏳'.repeat(100)],
  ] as const)
    assert.equal(searchText(typed), search);
});
