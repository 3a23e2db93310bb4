import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedNothing, readChange, shownFields } from './read-change.ts';

test('a deleted value is shown as before, with nothing after', () => {
  assert.deepEqual(readChange({ from: 'x' }), { kind: 'replaced', from: 'x', to: undefined });
  assert.deepEqual(readChange({ to: 'x' }), { kind: 'replaced', from: undefined, to: 'x' });
});

test('lists have what came and what went, and an erased field says that its value is not kept', () => {
  assert.deepEqual(readChange({ removed: ['N-1'] }), { kind: 'listed', added: [], removed: ['N-1'] });
  assert.deepEqual(readChange({}), { kind: 'not-kept' });
  assert.deepEqual(readChange('replaced'), { kind: 'fact', value: 'replaced' });
});

test('a row with no more than an id changed nothing, unless it deleted or issued something', () => {
  assert(changedNothing('bind-user-store', {}));
  assert(changedNothing('update-role', { id: 4 }));
  assert(!changedNothing('update-role', { id: 4, name: { from: 'a', to: 'b' } }));
  assert(!changedNothing('app revoke', { app_id: 'x' }));
});

test('an operator of all tenants does not appear to have none', () => {
  const shown = (changes: Record<string, unknown>) => shownFields(changes).map(([field]) => field);
  assert.deepEqual(shown({ all_tenants: true, tenant_ids: [] }), ['all_tenants']);
  assert.deepEqual(shown({ all_tenants: { to: true }, tenant_ids: { to: [] } }), ['all_tenants']);
  const fewer = { all_tenants: { from: false, to: true }, tenant_ids: { from: ['1'], to: [] } };
  assert.deepEqual(shown(fewer), ['all_tenants', 'tenant_ids']);
  assert.deepEqual(shown({ all_tenants: false, tenant_ids: ['1'] }), ['all_tenants', 'tenant_ids']);
  assert.deepEqual(shown({ tenant_ids: [] }), ['tenant_ids']);
});
