import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ConsoleOperation, consoleOperations } from '@fieldroster/contract/console';
import { ConsoleBrowser } from '../../test/console-browser.ts';
import { applications, startTestServer, type TestServer } from '../../test/test-server.ts';

/** Part of every text of the other tenant. */
const mark = 'Theirs';

let server: TestServer;
let manager: ConsoleBrowser;
let theirUserId = 0;
let theirRequestId = '';
let theirOperatorId = 0n;

before(async () => {
  server = await startTestServer();
  const as = applications.other;
  const profile = { real_name: mark, department: mark, ext_info: mark };
  theirUserId = await server.createUser('theirs', profile, as);
  await server.succeed('POST', '/stores', { stores: [{ code: 'X-9', name: mark, address: mark }] }, { as });
  await server.succeed('POST', '/role', { id: 801, name: mark, system_id: 9 }, { as });
  await server.succeed('POST', '/org', { id: 901, name: mark }, { as });
  theirRequestId = (await server.call('GET', `/user?username=${mark}`, undefined, { as })).requestId;
  server.app.recorder.flush();
  await server.database.bookkeeping.flush();
  const their = new ConsoleBrowser(server);
  await their.join(mark, { role: 'owner', allTenants: false, tenantIds: [server.otherTenantId] });
  theirOperatorId = their.operatorId ?? 0n;
  manager = new ConsoleBrowser(server);
  await manager.join('manager', { role: 'manager', allTenants: false, tenantIds: [server.tenantId] });
});

after(() => server.close());

/** Returns what to send in a field: for each that can name an entry, one that only the other tenant has. */
function guessFor(name: string): unknown {
  const values: Readonly<Record<string, unknown>> = {
    app_id: applications.other.appId,
    request_id: theirRequestId,
    operator_id: theirOperatorId,
    user_id: theirUserId,
    from_user_id: theirUserId,
    to_user_id: theirUserId + 1,
    users: [{ username: 'theirs' }],
    role_id: 801,
    org_id: 901,
    store_code: 'X-9',
    store_codes: ['X-9'],
    kept_store_codes: [],
    expected_store_codes: [],
    add_store_codes: ['X-9'],
    remove_store_codes: ['X-9'],
    search: mark,
    username: 'theirs',
    department: mark,
    range: 'week',
    scope: 'manage',
    status: 'active',
    name: 'issued',
    old_expires_in_seconds: 0,
  };
  return values[name];
}

interface Schemed {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Returns the needed fields alone, and each other field with them that can name something. */
function variationsOf({ properties = {}, required = [] }: Schemed = {}): Record<string, unknown>[] {
  const needed = required.map((name) => {
    const value = guessFor(name);
    assert(value !== undefined, `the field ${name} is tried with nothing: say above what it may name`);
    return [name, value] as const;
  });
  const base = Object.fromEntries(needed);
  const others = Object.keys(properties).filter((name) => guessFor(name) !== undefined);
  return [base, ...others.map((name) => ({ ...base, [name]: guessFor(name) }))];
}

const ofTenant = Object.values<ConsoleOperation>(consoleOperations).filter(({ reach }) => reach === 'tenant');

async function rowsOfOtherTenant(): Promise<string> {
  const tables = [
    'user',
    'user_role',
    'user_org',
    'user_store',
    'role',
    'org',
    'store',
    'audit_event',
  ] as const;
  const rows: unknown[] = [];
  for (const table of [...tables, 'application'] as const) {
    const found = await server.db
      .selectFrom(table)
      .selectAll()
      .where('tenant_id', '=', server.otherTenantId)
      .execute();
    rows.push(found.map(textOf).toSorted());
  }
  const secrets = await server.db.selectFrom('application_secret').selectAll().execute();
  rows.push(
    secrets
      .filter(({ app_id }) => app_id === applications.other.appId)
      .map(textOf)
      .toSorted(),
  );
  return textOf(rows);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part));
}

for (const operation of ofTenant) {
  test(`${operation.name} neither shows nor changes what only another tenant has, whatever ids are guessed`, async () => {
    const path = operation.path.replace(':tenant', String(server.tenantId));
    const stored = await rowsOfOtherTenant();
    for (const fields of variationsOf((operation.body ?? operation.query) as Schemed | undefined)) {
      const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
      const { method } = operation;
      const reply = await (method === 'GET'
        ? manager.call(method, `${path}?${query}`)
        : manager.call(method, path, fields));
      assert.notEqual(reply.code, 1001, `${reply.message}: ${query}`);
      const shown = textOf(reply.data ?? {});
      const theirs = [mark, 'X-9', applications.other.appId, theirRequestId].filter((text) =>
        shown.includes(text),
      );
      assert.deepEqual(theirs, [], `${query}: ${shown}`);
    }
    assert.equal(await rowsOfOtherTenant(), stored);
  });
}
