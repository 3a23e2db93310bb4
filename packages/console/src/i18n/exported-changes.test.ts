import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from './en.ts';
import { zh } from './zh.ts';

test('an export of changes is counted in words that fit the number', () => {
  for (const [count, exporting, exported] of [
    [0, 'Exporting… 0 changes so far', '0 changes exported'],
    [1, 'Exporting… 1 change so far', '1 change exported'],
    [12_408, 'Exporting… 12,408 changes so far', '12,408 changes exported'],
  ] as const) {
    assert.equal(en.audit.exporting(count), exporting);
    assert.equal(en.audit.exported(count), exported);
  }
  assert.equal(zh.audit.exported(12_408), '已导出 12,408 条变更');
});
