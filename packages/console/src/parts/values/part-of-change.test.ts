import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes as english } from '../../i18n/en/changes.ts';
import { changes as chinese } from '../../i18n/zh/changes.ts';
import { partOfChange } from './part-of-change.ts';

test('a row about a user leads with what happened to the user', () => {
  const rows = [
    ['set-user-status', { status: { from: 'active', to: 'disabled' } }, 'Disabled the user'],
    ['set-user-status', { status: { from: 'disabled', to: 'active' } }, 'Made the user active'],
    ['change-users', { status: { from: 'active', to: 'disabled' } }, 'Disabled the user, in a bulk change'],
    [
      'change-users',
      { status: { from: 'disabled', to: 'active' } },
      'Made the user active, in a bulk change',
    ],
    ['change-users', { role_id: { from: '1', to: '2' } }, 'Changed the role, in a bulk change'],
    ['change-users', { org_id: { from: '1', to: '2' } }, 'Changed the organization, in a bulk change'],
    ['change-users', { stores: { added: ['N-001'] } }, 'Changed the stores, in a bulk change'],
    ['move-stores', { stores: { added: ['N-001'], removed: [] } }, 'Took over stores from a colleague'],
    ['move-stores', { stores: { added: [], removed: ['N-001'] } }, 'Handed over stores to a colleague'],
  ] as const;
  for (const [operation, changes, words] of rows) {
    const part = partOfChange(operation, changes);
    assert.equal(part && english.parts[part], words);
    assert.ok(part && chinese.parts[part], words);
  }
});

test('other rows have the words of their operation', () => {
  assert.equal(partOfChange('change-users', {}), undefined);
  assert.equal(partOfChange('move-stores', {}), undefined);
  assert.equal(partOfChange('set-user-status', {}), undefined);
});
