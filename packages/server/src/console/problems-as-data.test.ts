import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { profileTexts } from '@fieldroster/contract';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { ConsoleBrowser, operatorPassword, owner } from '../../test/console-browser.ts';
import { org, role } from '../../test/sample-directory.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

let server: TestServer;
let page: ConsoleBrowser;

before(async () => {
  server = await startTestServer();
  page = new ConsoleBrowser(server);
  await page.join('manager', owner);
});

after(() => server.close());

interface Told {
  readonly message: string;
  readonly problem?: Problem;
}

/** Everything that the server can have against an entry that the console read from a file. */
const refusedEntries = {
  role: { username: 'r', role_id: 4711 },
  org: { username: 'o', org_id: 4711 },
  stores: { username: 's', store_codes: ['none', 'nil'] },
  begin: { username: '\u00a0b' },
  end: { username: 'e\u3000' },
  control: { username: 'c\u0007c' },
  invisible: { username: 'z\u200bz' },
  nul: { username: 'n', phone: '\0' },
  half: { username: 'h', phone: '\ud800' },
  both: { username: 'p', password: 'correct horse', password_hash: '$2b$10$x' },
  hash: { username: 'x', password_hash: 'md5' },
  long: { username: 'l', phone: '1'.repeat(profileTexts.phone.charactersMax + 1) },
  nameless: { phone: '1' },
};

test('an entry of a batch that is refused tells the console why as data, and signed callers as a sentence alone', async () => {
  const body = { users: Object.values(refusedEntries), dry_run: true };
  const answer = await page.call('POST', `/tenants/${server.tenantId}/users/batch`, body);
  const { results } = answer.data as unknown as { results: Told[] };
  for (const [index, name] of Object.keys(refusedEntries).entries()) {
    const { message, problem } = results[index] ?? { message: '' };
    assert(problem !== undefined, `${name}: ${message}`);
    assert.equal(problemInEnglish(problem), message);
  }
  const signed = await server.succeed('POST', '/users/batch', body);
  const told = (signed.envelope.data as { results: Told[] }).results;
  assert.deepEqual(
    told.map(({ message }) => message),
    results.map(({ message }) => message),
  );
  assert(told.every((result) => !('problem' in result)));
});

test('a store, an organization or a role that is refused tells the console why as data', async () => {
  const refused: readonly (readonly [method: string, path: string, body: object])[] = [
    ['POST', 'org', { id: Number(org.id), name: 'N' }],
    ['POST', 'org', { name: 'N', parent_id: 4711 }],
    ['PUT', 'org', { id: Number(org.id), parent_id: Number(org.id) }],
    ['POST', 'role', { id: Number(role.id), name: 'N' }],
    ['POST', 'role', { id: -1, name: 'N' }],
    ['PUT', 'role', { id: 4711, name: 'N' }],
    ['POST', 'stores', { stores: [{ code: ' x', name: 'N' }] }],
    ['POST', 'stores', { stores: [{ code: 'x', name: '' }] }],
  ];
  for (const [method, path, body] of refused) {
    const { message, problem } = await tell(method, path, body);
    assert(problem !== undefined, `${method} ${path}: ${message}`);
    assert.equal(problemInEnglish(problem), message);
  }
});

test('what only operations of the console refuse tells why as data', async () => {
  const { app_id } = (
    await page.succeed('POST', `/tenants/${server.tenantId}/applications`, { name: 'Till', scope: 'read' })
  ).data;
  const viewer = new ConsoleBrowser(server);
  await viewer.join('viewer', { role: 'viewer', allTenants: false, tenantIds: [server.tenantId] });
  const own = `/tenants/${server.tenantId}`;
  const status = 'disabled';
  const link = { token: 'x'.repeat(43), password: 'several unrelated words' };
  const invitation = { role: 'viewer', all_tenants: true, tenant_ids: [], password: operatorPassword };
  const { token } = (await page.succeed('POST', '/operators', invitation)).data;
  const invited = { token, password: link.password };
  const changed = { password: operatorPassword, new_password: 'password1234' };
  const refused = [
    [page, 'PUT', `${own}/applications`, { app_id, allowed_addresses: ['10.0.0'] }, 'notAddress'],
    [page, 'PUT', `${own}/applications`, { app_id, allowed_addresses: ['::/0'] }, 'badNetwork'],
    [page, 'POST', `${own}/change-users`, { users: [{ username: 'nobody' }], status }, 'noUser'],
    [viewer, 'POST', `${own}/change-users`, { users: [{ username: 'nobody' }], status }, 'needsRole'],
    [viewer, 'GET', '/deployment/findings', undefined, 'needsRole'],
    [page, 'POST', `${own}/applications`, { name: 'a\u200bb', scope: 'read' }, 'invisibleInApplication'],
    [page, 'POST', '/tenants', { name: 'a\u200bb' }, 'invisibleInTenant'],
    [page, 'POST', '/tenants', { name: 'default' }, 'tenantTaken'],
    [page, 'POST', '/link', link, 'linkEnded'],
    [page, 'POST', '/link', { ...invited, username: 'MANAGER' }, 'operatorLooksTaken'],
    [page, 'POST', '/link', { ...invited, username: 'a\u200bb' }, 'invisibleInOperator'],
    [page, 'PUT', '/password', changed, 'commonPassword'],
    [page, 'PUT', '/password', { ...changed, new_password: 'manager-harbour1' }, 'wordsOfContext'],
    [page, 'PUT', '/password', { ...changed, new_password: 'short' }, 'tooShort'],
  ] as const;
  for (const [caller, method, path, body, key] of refused) {
    const { message, problem } = (await caller.call(method, path, body)) as unknown as Told;
    assert.equal(problem?.key, key, `${method} ${path}: ${message}`);
    assert.equal(problem && problemInEnglish(problem), message);
  }
});

async function tell(method: string, path: string, body: object): Promise<Told> {
  const answer = await page.call(method, `/tenants/${server.tenantId}/${path}`, body);
  assert.notEqual(answer.code, 0);
  return answer as unknown as Told;
}
