import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '@fieldroster/contract';
import { ConsoleBrowser, type ConsoleReply, owner, uuidV7 } from '../../../test/console-browser.ts';
import { deadlineOfWrite } from '../../../test/deadline-of-write.ts';
import { readAuditRows } from '../../../test/read-audit-rows.ts';
import { fillStores } from '../../../test/sample-directory.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import type { AuditEvent, Database } from '../../database/database.ts';

let server: TestServer;
let page: ConsoleBrowser;

/** The audit events that the server's database was given. */
const written: AuditEvent[] = [];

function noteAudit(database: Database): Database {
  const original = database.write.bind(database);
  const write: Database['write'] = (tenantId, claim, work) =>
    original(tenantId, claim, async (directory) => {
      const result = await work(directory);
      written.push(result.audit, ...(result.more ?? []));
      return result;
    });
  return Object.assign(database, { write });
}

before(async () => {
  server = await startTestServer({ wrapDatabase: noteAudit });
  page = new ConsoleBrowser(server);
  await page.join('supervisor', owner);
});

after(() => server.close());

const path = () => `/tenants/${server.tenantId}/move-stores`;

async function pair(name: string, fromCodes: string[], toCodes: string[]): Promise<[number, number]> {
  const from = await server.createUser(`${name}.from`, { store_codes: fromCodes });
  return [from, await server.createUser(`${name}.to`, { store_codes: toCodes })];
}

async function codesOf(id: number): Promise<string[]> {
  const { envelope } = await server.succeed('GET', `/user/store?user_id=${id}`);
  return (envelope.data as { stores: { code: string }[] }).stores.map(({ code }) => code);
}

function moveOf(
  from: number,
  to: number,
  store_codes: string[],
  expected: string[] = [],
  kept: string[] = [],
) {
  return {
    from_user_id: from,
    to_user_id: to,
    store_codes,
    kept_store_codes: kept,
    expected_store_codes: expected,
  };
}

async function auditOf(reply: ConsoleReply) {
  const rows = await readAuditRows(server.db, reply.headers.get('x-request-id') ?? '');
  return rows.map(({ operation, userId, appId, changes }) => ({ operation, userId, appId, changes }));
}

async function assertRefused(code: number, message: RegExp, body: object): Promise<void> {
  const before = await server.snapshot();
  const reply = await page.call('POST', path(), body);
  assert.equal(reply.code, code, reply.message);
  assert.match(reply.message, message);
  assert.deepEqual(await server.snapshot(), before, 'a refused move leaves nothing behind');
}

test('stores move in one step, and each user has an audit row that names the operator', async () => {
  const [from, to] = await pair('plain', ['S001', 'S002', 'S003'], ['S002']);
  written.length = 0;
  const changeId = uuidV7(server.nowMs);
  const move = moveOf(from, to, ['S001', 'S002'], ['S002']);
  const reply = await page.succeed('POST', path(), move, { 'Change-Id': changeId });
  assert.deepEqual([await codesOf(from), await codesOf(to)], [['S003'], ['S001', 'S002']]);
  assert.deepEqual(await auditOf(reply), [
    {
      operation: 'move-stores',
      userId: BigInt(from),
      appId: null,
      changes: { stores: { removed: ['S001', 'S002'] }, to_user_id: Number(to) },
    },
    {
      operation: 'move-stores',
      userId: BigInt(to),
      appId: null,
      changes: { stores: { added: ['S001'] }, from_user_id: Number(from) },
    },
  ]);
  const { data } = await page.succeed('GET', '/session');
  const actor = { kind: 'operator', id: String(data.operator.id), changeId };
  assert.deepEqual(
    written.map((event) => [event.operation, event.actor]),
    [
      ['move-stores', actor],
      ['move-stores', actor],
    ],
  );
});

test('the opposite move with the kept stores restores both users', async () => {
  const [from, to] = await pair('undo', ['S001', 'S002'], ['S002', 'S003']);
  await page.succeed('POST', path(), moveOf(from, to, ['S001', 'S002'], ['S002']));
  await page.succeed('POST', path(), moveOf(to, from, ['S001'], [], ['S002']));
  assert.deepEqual(await codesOf(from), ['S001', 'S002']);
  assert.deepEqual(await codesOf(to), ['S002', 'S003']);
});

test('a move whose preview no longer holds is refused and changes nothing', async () => {
  const [from, to] = await pair('stale', ['S001', 'S002'], ['S002']);
  await assertRefused(1614, /no longer has the store "S003"/, moveOf(from, to, ['S001', 'S003']));
  await assertRefused(1614, /has the store by now: "S002"/, moveOf(from, to, ['S001', 'S002']));
  await assertRefused(1614, /no longer has the store: "S001"/, moveOf(from, to, ['S001'], ['S001']));
  await assertRefused(1614, /no longer has the store "S003"/, moveOf(from, to, ['S001'], [], ['S003']));
});

/** Binds a user to new stores, with these codes. */
async function bindToNew(id: number, codes: readonly string[]): Promise<void> {
  for (let start = 0; start < codes.length; start += 5_000) {
    const some = codes.slice(start, start + 5_000);
    await fillStores(server.db, server.tenantId, some);
    const rows = some.map((store_code) => ({ tenant_id: server.tenantId, user_id: BigInt(id), store_code }));
    await server.db.insertInto('user_store').values(rows).execute();
  }
}

const newCodes = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

test('a move that would give a user more stores than it may have is refused', async () => {
  const [from, to] = await pair('full', ['S001', 'S002'], ['S001']);
  const codes = newCodes('full', limits.storeCodesMax - 2);
  await bindToNew(to, codes);
  const message = new RegExp(
    `^a user may have at most 50000 stores, and user ${to} would have 50001: unbind some first$`,
  );
  await bindToNew(from, ['full.other']);
  await assertRefused(1001, message, moveOf(from, to, ['S002', 'full.other']));
  await page.succeed('POST', path(), moveOf(from, to, ['S002']));
  await assertRefused(1001, message, moveOf(from, to, [], [], ['full.other']));
  await page.succeed('POST', path(), moveOf(from, to, ['S001'], ['S001']));
});

test('no other write waits for all of a move of more than 200 stores', async () => {
  const [from, to] = await pair('many', [], []);
  const codes = newCodes('many', 201);
  await bindToNew(from, codes);
  for (const [sent, isBulk] of [
    [codes.slice(0, 200), false],
    [codes, true],
  ] as const) {
    const body = moveOf(from, to, [...sent]);
    const deadline = await deadlineOfWrite(server.database, () => page.succeed('POST', path(), body));
    assert.equal(deadline?.bulk, isBulk);
    await page.succeed('POST', path(), moveOf(to, from, [...sent]));
  }
});

test('stores outside the selection may change meanwhile', async () => {
  const [from, to] = await pair('beside', ['S001', 'S002'], []);
  await server.succeed('POST', '/user/store', { user_id: to, store_code: 'S003' });
  await page.succeed('POST', path(), moveOf(from, to, ['S001']));
  assert.deepEqual(await codesOf(to), ['S001', 'S003']);
});

test('unknown users and a user moved to itself are refused', async () => {
  const [from] = await pair('unknown', ['S001'], []);
  await assertRefused(1101, /^no user has id 987654$/, moveOf(from, 987654, ['S001']));
  await assertRefused(1101, /^no user has id 987654$/, moveOf(987654, from, ['S001']));
  await assertRefused(1001, /to_user_id must differ/, moveOf(from, from, ['S001']));
});

test('a repeated request answers 1015 and moves nothing again', async () => {
  const [from, to] = await pair('once', ['S001'], []);
  const headers = { 'Change-Id': uuidV7(server.nowMs) };
  const body = moveOf(from, to, ['S001']);
  await page.succeed('POST', path(), body, headers);
  await server.succeed('POST', '/user/store', { user_id: from, store_code: 'S001' });
  const again = await page.call('POST', path(), { ...body, expected_store_codes: ['S001'] }, headers);
  assert.equal(again.code, 1015);
  assert.deepEqual(await codesOf(from), ['S001']);
});

test('of several simultaneous moves, one takes effect and the others are refused', async () => {
  const [from, to] = await pair('at once', ['S001', 'S002'], []);
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => page.call('POST', path(), moveOf(from, to, ['S001', 'S002']))),
  );
  assert.deepEqual(replies.map(({ code }) => code).sort(), [0, 1614, 1614, 1614, 1614, 1614]);
});

test('simultaneous opposite moves both end, each applied as a whole or not at all', async () => {
  const [a, b] = await pair('opposite', ['S001', 'S002'], ['S003']);
  const moves = Array.from({ length: 8 }, (_, index) =>
    index % 2 === 0 ? ([a, b] as const) : ([b, a] as const),
  );
  const replies = await Promise.all(
    moves.map(([from, to]) => page.call('POST', path(), moveOf(from, to, ['S001', 'S002']))),
  );
  for (const { code, message } of replies) assert(code === 0 || code === 1614, message);
  const both = [await codesOf(a), await codesOf(b)].map((codes) => codes.join());
  assert(['S001,S002|S003', '|S001,S002,S003'].includes(both.join('|')), both.join('|'));
});

test('a viewer, and a manager of another tenant, move nothing', async () => {
  const [from, to] = await pair('refused', ['S001'], []);
  const before = await server.snapshot();
  const viewer = new ConsoleBrowser(server);
  await viewer.join('looker', { role: 'viewer', allTenants: true, tenantIds: [] });
  assert.equal((await viewer.call('POST', path(), moveOf(from, to, ['S001']))).code, 1604);
  const other = new ConsoleBrowser(server);
  await other.join('elsewhere', { role: 'manager', allTenants: false, tenantIds: [server.otherTenantId] });
  assert.equal((await other.call('POST', path(), moveOf(from, to, ['S001']))).code, 1606);
  const elsewhere = `/tenants/${server.otherTenantId}/move-stores`;
  assert.equal((await other.call('POST', elsewhere, moveOf(from, to, ['S001']))).code, 1101);
  assert.deepEqual(await server.snapshot(), before);
});
