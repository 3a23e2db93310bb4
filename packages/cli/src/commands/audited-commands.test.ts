import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { openTestPostgres, runSql, type TestPostgres } from '../../../server/test/test-postgres.ts';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';
import { sendSigned } from '../call/send-signed.ts';

const folder = temporaryFolder();

/** A new folder, and on PostgreSQL an empty database. */
interface Place {
  readonly data: string;
  /** What `copy` calls it. */
  readonly location: string;
  readonly flags: readonly string[];
}

/** Registers the same tests for both engines. */
function describeOnEachEngine(register: (newPlace: (name: string) => Promise<Place>) => void): void {
  describe('on SQLite', () =>
    register(async (name) => {
      const data = join(folder, name);
      return { data, location: data, flags: ['--data', data] };
    }));
  describe('on PostgreSQL', () => {
    let postgres: TestPostgres;
    before(async () => {
      postgres = await openTestPostgres({ durable: false });
    });
    after(() => postgres.stop());
    register(async (name) => {
      const data = join(folder, `${name}-of-postgres`);
      mkdirSync(data);
      const database = await postgres.createDatabase();
      return { data, location: database, flags: ['--data', data, '--database', database] };
    });
  });
}

interface Row {
  readonly tenant: string;
  readonly operation: string;
  readonly actor: string | null;
  readonly changes: unknown;
}

const rowsOfAudit = 'select tenant_id, operation, actor, changes from audit_event order by id';

function auditRows(data: string): Row[] {
  using database = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
  return database.prepare(rowsOfAudit).all().map(toRow);
}

async function rowsIn({ data, location }: Place): Promise<Row[]> {
  return location === data ? auditRows(data) : (await runSql(location, rowsOfAudit)).map(toRow);
}

function toRow({ tenant_id, operation, actor, changes }: Record<string, unknown>): Row {
  return {
    tenant: String(tenant_id),
    operation: String(operation),
    actor: actor as string | null,
    changes: JSON.parse(String(changes)),
  };
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const env = { SUDO_USER: 'ann', FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };

/** The actor of every audit row that a command writes. */
const actor = { kind: 'command', user: userInfo().username, sudoUser: 'ann', host: hostname() };

async function run(...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(words, { env });
  assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
  return stdout;
}

async function runAll(flags: readonly string[], commands: readonly (readonly string[])[]): Promise<void> {
  for (const words of commands) await run(...words, ...flags);
}

describeOnEachEngine((newPlace) => {
  test('every command that changes something is audited with the system user, sudo and the host', async () => {
    const place = await newPlace('all');
    await runAll(place.flags, [
      ['tenant', 'create', 'acme'],
      ['app', 'create', '--name', 'A', '--app-id', 'a'],
      ['app', 'update', 'a', '--scope', 'read'],
      ['app', 'rotate', 'a'],
      ['app', 'revoke', 'a'],
      ['role', 'import', file('roles.csv', 'id,name\n1,R\n')],
      ['org', 'import', file('orgs.csv', 'id,name\n1,O\n')],
      ['store', 'import', file('stores.csv', 'code,name\nS,S\n')],
    ]);
    const copied = await newPlace('copied');
    await runAll([], [['copy', '--from', place.location, '--to', copied.location]]);
    const rows = await rowsIn(copied);
    const operations = new Set(rows.map(({ operation }) => operation));
    const apps = ['create', 'update', 'rotate', 'revoke'].map((word) => `app ${word}`);
    const imports = ['role', 'org', 'store'].map((noun) => `${noun} import`);
    assert.deepEqual([...operations], ['tenant create', ...apps, ...imports, 'copy']);
    for (const row of rows) assert.deepEqual(JSON.parse(row.actor ?? 'null'), actor, row.operation);
    assert.deepEqual(
      await rowsIn(place),
      rows.slice(0, -2),
      'a copy leaves its row in both tenants of the target',
    );
  });

  test("a restore and its finish are audited in every tenant, with what the backup was and with the tenant's own counts", async () => {
    const place = await newPlace('backed-up');
    await runAll(place.flags, [
      ['tenant', 'create', 'acme'],
      ['store', 'import', file('stores.csv', 'code,name\nS,S\n')],
    ]);
    const backup = join(folder, `${basename(place.location)}.backup`);
    await runAll(place.flags, [['backup', '--to', backup]]);
    const restored = await newPlace('restored');
    const { manifest } = JSON.parse(await run('restore', '--from', backup, '--json', ...restored.flags));
    await runAll(restored.flags, [['restore', '--finish']]);
    const before = await rowsIn(place);
    const rows = await rowsIn(restored);
    assert.deepEqual(rows.slice(0, before.length), before, 'everything else is as it was');
    const counts = (stores: number) => ({ users_restored: 0, stores_restored: stores, erasures_applied: 0 });
    const of = { backup_at: manifest.at, release: manifest.release };
    assert.deepEqual(
      rows.slice(before.length).map(({ tenant, operation, changes }) => [tenant, operation, changes]),
      [
        ['1', 'restore', { ...of, ...counts(1) }],
        ['2', 'restore', { ...of, ...counts(0) }],
        ['1', 'restore --finish', counts(1)],
        ['2', 'restore --finish', counts(0)],
      ],
    );
    for (const row of rows) assert.deepEqual(JSON.parse(row.actor ?? 'null'), actor, row.operation);
  });
});

test('a reset of the claims is audited with its actor', async () => {
  const data = join(folder, 'reset');
  await runAll(['--data', data], [['app', 'create', '--name', 'A']]);
  using database = new DatabaseSync(join(data, 'fieldroster.db'));
  database.exec("update counter set value = 99999999999 where name = 'purged_through'");
  await runAll(['--data', data], [['claims', 'reset', '--yes']]);
  const last = auditRows(data).at(-1);
  assert.deepEqual([last?.operation, JSON.parse(last?.actor ?? '')], ['claims reset', actor]);
});

test('an erasure is audited with its actor, and who names everybody who changed the user', async () => {
  const data = join(folder, 'erased');
  const issued = await runCommand(['app', 'create', '--name', 'A', '--json', '--data', data], { env });
  const { app_id: appId, app_secret: appSecret } = JSON.parse(issued.stdout);
  const server = await startServe(['--data', data], { env });
  const body = Buffer.from('{"username":"ada"}');
  await sendSigned({ url: server.url, appId, appSecret }, { method: 'POST', path: '/user/stores', body });
  await server.stop();
  await runAll(['--data', data], [['user', 'erase', '--user', 'ada', '--yes']]);
  const last = auditRows(data).at(-1);
  assert.deepEqual([last?.operation, JSON.parse(last?.actor ?? '')], ['user erase', actor]);
  const { stdout } = await runCommand(['who', '--user-id', '1', '--json', '--data', data], { env });
  const { events } = JSON.parse(stdout) as { events: { by: string; operation: string }[] };
  assert.deepEqual(
    events.map(({ by, operation }) => [by, operation]),
    [
      [`ann@${hostname()}`, 'user erase'],
      [appId, 'batch-update-user-stores'],
    ],
  );
});

test('the first application and the sample of serve are audited with their actor', async () => {
  const data = join(folder, 'served');
  const server = await startServe(['--sample', '--data', data], { env });
  // Issued last.
  await server.until(() => server.output().includes('"app_id":"'));
  await server.stop();
  const rows = auditRows(data);
  assert.deepEqual([...new Set(rows.map(({ operation }) => operation))].toSorted(), [
    'app create',
    'org import',
    'role import',
    'serve --sample',
    'store import',
    'tenant create',
  ]);
  for (const row of rows) assert.deepEqual(JSON.parse(row.actor ?? 'null'), actor, row.operation);
});

test('GET /audit shows the user and the host to no application of any scope', async () => {
  const data = join(folder, 'hidden');
  const issued = await runCommand(
    ['app', 'create', '--name', 'A', '--scope', 'manage', '--json', '--data', data],
    { env },
  );
  const { app_id: appId, app_secret: appSecret } = JSON.parse(issued.stdout);
  const server = await startServe(['--data', data], { env });
  const { text } = await sendSigned({ url: server.url, appId, appSecret }, { method: 'GET', path: '/audit' });
  await server.stop();
  const [event] = JSON.parse(text).data.events;
  assert.deepEqual(Object.keys(event).sort(), [
    'app_id',
    'at',
    'changes',
    'id',
    'operation',
    'request_id',
    'user_id',
  ]);
  assert.equal(event.operation, 'app create');
  for (const name of ['ann', hostname()]) assert.ok(!text.includes(`"${name}"`));
});

test('a signed write has its application, and no actor', async () => {
  const data = join(folder, 'signed');
  const issued = await runCommand(['app', 'create', '--name', 'A', '--json', '--data', data], { env });
  const { app_id: appId, app_secret: appSecret } = JSON.parse(issued.stdout);
  const server = await startServe(['--data', data], { env });
  const body = Buffer.from('{"username":"ada"}');
  await sendSigned({ url: server.url, appId, appSecret }, { method: 'POST', path: '/user/stores', body });
  await server.stop();
  assert.equal(auditRows(data).at(-1)?.actor, null);
});
