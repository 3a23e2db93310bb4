import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

/** The forms that docs/interface.md lists for the values in `changes`, with the names that each has there. */
const forms: Readonly<Record<string, readonly string[] | 'any'>> = {
  '{to}': 'any',
  '{from, to}': 'any',
  '{from}': 'any',
  '{added, removed}': ['stores'],
  '{added}': ['stores'],
  '{removed}': ['stores'],
  string: ['password', 'code'],
  number: ['id', 'created', 'updated', 'unchanged', 'failed', 'users_unbound'],
};

test('every value in the changes of an operation has a form that the document lists for its name', async () => {
  const id = await server.createUser('formed', { real_name: 'Formed', password: 'p', store_codes: ['S001'] });
  for (const [method, target, body] of [
    ['POST', '/user', { username: 'second', password: 'p' }],
    ['PUT', '/user', { id, phone: '1', password: 'q' }],
    ['POST', '/user/stores', { username: 'formed', store_codes: ['S002', 'S003'] }],
    ['POST', '/user/store', { user_id: id, store_code: 'S001' }],
    ['DELETE', `/user/store?user_id=${id}&store_code=S002`],
    ['PUT', '/user/status', { id, status: 'disabled' }],
    ['POST', '/users/batch', { users: [{ username: 'second', role_id: 7, store_codes: ['S001'] }] }],
    ['POST', '/role', { id: 70, name: 'Role' }],
    ['PUT', '/role', { id: 70, name: 'Renamed' }],
    ['POST', '/org', { id: 71, name: 'Org' }],
    ['POST', '/stores', { stores: [{ code: 'F1', name: 'New' }] }],
    ['PUT', '/store', { code: 'F1', address: 'Here' }],
    ['POST', '/user/role', { user_id: id, role_id: 70 }],
    ['POST', '/user/role', { user_id: id, role_id: 70 }],
    ['POST', '/user/org', { user_id: id, org_id: 71 }],
    ['POST', '/user/store', { user_id: id, store_code: 'F1' }],
    ['DELETE', '/role?id=70&force=true'],
    ['DELETE', '/org?id=71&force=true'],
    ['DELETE', '/store?code=F1&force=true'],
    ['DELETE', `/user?user_id=${id}`],
  ] as const) {
    await server.succeed(method, target, body);
  }
  const { envelope } = await server.succeed('GET', '/audit?limit=500');
  const { events } = envelope.data as { events: { app_id: string; changes: Record<string, unknown> }[] };
  const seen = new Set<string>();
  for (const { app_id, changes } of events) {
    if (app_id === '') continue;
    for (const [name, value] of Object.entries(changes)) {
      const form = formOf(value);
      const names = forms[form];
      assert.ok(names === 'any' || names?.includes(name), `${name}: ${form}`);
      seen.add(form);
    }
  }
  assert.deepEqual(seen, new Set(Object.keys(forms)));
});

function formOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value;
  return Array.isArray(value) ? 'list' : `{${Object.keys(value).toSorted().join(', ')}}`;
}
