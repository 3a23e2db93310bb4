import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from './en.ts';
import { zh } from './zh.ts';

test('large numbers of rows, users and stores are written as on the overview', () => {
  assert.equal(en.users.counted(12_408, false), '12,408 users');
  assert.equal(zh.users.counted(12_408, true), '12,408+ 位用户');
  assert.equal(en.importTexts.previewing(7000, 10_000), 'Comparing 7,000 of 10,000 rows');
  assert.equal(en.importTexts.previewing(0, 1), 'Comparing 0 of 1 row');
  assert.equal(en.importTexts.apply.users(10_000), 'Import 10,000 users');
  assert.equal(zh.importTexts.apply.stores(10_000), '导入 10,000 家门店');
  assert.equal(en.bulk.tooMany(1200, 1000), '1,200 selected; at most 1,000 can be changed in one step');
  assert.equal(en.users.exported(10_000), '10,000 users exported');
});
