import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsoleBrowser, owner, uuidV7 } from '../../../test/console-browser.ts';
import { overriding } from '../../../test/overriding.ts';
import { applications, startMs, startTestServer, type TestServer } from '../../../test/test-server.ts';

interface Shown {
  readonly app_id: string;
  readonly scope: string;
  readonly status: string;
  readonly rate_limit?: number;
  readonly allowed_addresses: readonly string[];
  readonly expires_at?: number;
}

describe('changing an application in the console', () => {
  let server: TestServer;
  let page: ConsoleBrowser;
  const { appId } = applications.main;
  /** Ahead of the clock of the node. */
  const databaseTimeMs = startMs + 7_000;

  before(async () => {
    server = await startTestServer({
      wrapDatabase: (database) =>
        overriding(database, {
          claims: overriding(database.claims, { databaseTimeMs: async () => databaseTimeMs }),
        }),
    });
    page = new ConsoleBrowser(server);
    await page.join('mo', owner);
  });

  after(() => server.close());

  const path = () => `/tenants/${server.tenantId}/applications`;
  const change = (changes: object, headers = {}) =>
    page.call('PUT', path(), { app_id: appId, ...changes }, headers);

  async function shown(): Promise<Shown | undefined> {
    const { data } = await page.succeed('GET', path());
    return (data.applications as unknown as Shown[]).find(({ app_id }) => app_id === appId);
  }

  test('every limit is set, shown and taken away, and nothing else changes', async () => {
    const original = await shown();
    const expiresAt = server.nowMs + 3_600_000;
    const limits = {
      scope: 'read',
      rate_limit: 5,
      allowed_addresses: [' 10.0.0.0/8 ', '::1'],
      expires_at: expiresAt,
    };
    assert.equal((await change(limits)).code, 0);
    const { scope, rate_limit, allowed_addresses, expires_at, status } = (await shown()) ?? {};
    assert.deepEqual(
      [scope, rate_limit, allowed_addresses, expires_at, status],
      ['read', 5, ['10.0.0.0/8', '::1'], expiresAt, 'active'],
    );
    const none = { scope: 'manage', rate_limit: -1, allowed_addresses: [], expires_at: 0 };
    assert.equal((await change(none)).code, 0);
    assert.deepEqual(await shown(), original);
  });

  test('the former secret expires by the clock of the database, whatever that of the node says', async () => {
    const issued = await page.succeed('POST', path(), { name: 'rotated', scope: 'read' });
    const rotation = { app_id: issued.data.app_id, old_expires_in_seconds: 60 };
    const { data } = await page.succeed('POST', `${path()}/rotate`, rotation);
    const { old_secret_expires_at } = data as unknown as { readonly old_secret_expires_at: number };
    assert.equal(old_secret_expires_at, databaseTimeMs + 60_000);
  });

  test('a change is claimed once, and audited with the operator as actor', async () => {
    const headers = { 'Change-Id': uuidV7(server.nowMs) };
    assert.equal((await change({ status: 'suspended' }, headers)).code, 0);
    assert.equal((await change({ status: 'suspended' }, headers)).code, 1015);
    assert.equal((await shown())?.status, 'suspended');
    assert.equal((await change({ status: 'active' })).code, 0);
    const rows = await server.db
      .selectFrom('audit_event')
      .select(['actor', 'changes', 'request_id'])
      .where('operation', '=', 'app update')
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    const [resumed, suspended] = rows;
    assert.match(resumed?.actor ?? '', /"kind":"operator"/);
    assert.notEqual(suspended?.request_id, null);
    assert.deepEqual(JSON.parse(suspended?.changes ?? ''), {
      app_id: appId,
      status: { from: 'active', to: 'suspended' },
    });
  });

  test('the repetition of a revocation is told that it was made, and a new revocation that nothing is there', async () => {
    const issued = await page.succeed('POST', path(), { name: 'revoked', scope: 'read' });
    const { app_id } = issued.data;
    const revoke = (headers = {}) => page.call('DELETE', path(), { app_id }, headers);
    const headers = { 'Change-Id': uuidV7(server.nowMs) };
    const codes = [await revoke(headers), await revoke(headers), await revoke()].map(({ code }) => code);
    assert.deepEqual(codes, [0, 1015, 1610]);
  });

  test('the repetition of a change is told that it was made, even if the application was revoked since', async () => {
    const issued = await page.succeed('POST', path(), { name: 'revoked later', scope: 'read' });
    const { app_id } = issued.data;
    const [updated, rotated] = [uuidV7(server.nowMs), uuidV7(server.nowMs)];
    const rotation = { app_id, old_expires_in_seconds: 60 };
    const changes = [
      () => change({ app_id, status: 'suspended' }, { 'Change-Id': updated }),
      () => page.call('POST', `${path()}/rotate`, rotation, { 'Change-Id': rotated }),
    ];
    for (const make of changes) assert.equal((await make()).code, 0);
    await page.succeed('DELETE', path(), { app_id });
    for (const make of changes) assert.equal((await make()).code, 1015);
  });

  test('an invalid address, and an application of another tenant, are refused', async () => {
    const wrong = await change({ allowed_addresses: ['10.0.0.0/8', 'shop.example'] });
    assert.equal(wrong.code, 1001);
    assert.match(wrong.message, /"shop\.example" is not an address or a network/);
    const other = await page.call('PUT', path(), { app_id: applications.other.appId, status: 'suspended' });
    assert.equal(other.code, 1610);
    assert.deepEqual((await shown())?.allowed_addresses, []);
  });
});
