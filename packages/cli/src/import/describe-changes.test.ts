import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeField } from './describe-changes.ts';

test('a changed field is shown with both values, but ext_info without an old one that the scope did not learn', () => {
  const change = { field: 'phone', from: '', to: '1' };
  assert.equal(describeField('updated', change), 'phone: (empty) → 1');
  assert.equal(describeField('created', change), 'phone: 1');
  assert.equal(describeField('updated', { ...change, field: 'ext_info' }), 'ext_info: → 1');
  assert.equal(describeField('updated', { field: 'ext_info', from: '0', to: '1' }), 'ext_info: 0 → 1');
  assert.equal(describeField('updated', { field: 'ext_info', from: '', to: '' }), 'ext_info: → (empty)');
});
