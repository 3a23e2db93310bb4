import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { BusyError } from '../../errors/busy-error.ts';
import type { DirectoryWriter } from '../database.ts';
import { bookkeepingFile } from './bookkeeping/bookkeeping-file.ts';
import { connect } from './connections/connection.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-open-'));
after(() => rmSync(parent, { recursive: true }));

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** Logs of connections that are still open; the last connection removes them. */
const logsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('-wal'));

const nothing = async (_: DirectoryWriter) => ({
  result: undefined,
  audit: { operation: 'test', changes: {} },
});

test('only the owner may read the folder, the database and its logs', async () => {
  const folder = join(parent, 'deep', 'modes');
  const database = await openSqliteDatabase({ folder });
  await database.tenants.insertTenant('t');
  const path = join(folder, databaseFile);
  assert.equal(modeOf(folder), '700');
  assert.deepEqual([path, `${path}-wal`, `${path}-shm`].map(modeOf), ['600', '600', '600']);
  await database.close();
});

test('a database that others could read is made private at the next start', async () => {
  const folder = join(parent, 'loose');
  await (await openSqliteDatabase({ folder })).close();
  const path = join(folder, databaseFile);
  chmodSync(path, 0o644);
  await (await openSqliteDatabase({ folder })).close();
  assert.equal(modeOf(path), '600');
});

test('an empty file that a restore replaces while it is opened is opened again, and the restored one is kept', async () => {
  const [folder, other] = ['replaced', 'restored'].map((name) => join(parent, name)) as [string, string];
  const restored = await openSqliteDatabase({ folder: other });
  await restored.tenants.insertTenant('restored');
  await restored.close();
  // It has opened its file when it returns, and has made no tables yet.
  const opening = openSqliteDatabase({ folder });
  renameSync(join(other, databaseFile), join(folder, databaseFile));
  const database = await opening;
  assert.ok((await database.tenants.findTenant('restored')) !== undefined);
  await database.write(1n, undefined, nothing);
  await database.close();
});

test('a database that is opened twice in one process keeps its log when another process closes it', async () => {
  const folder = join(parent, 'twice');
  const path = join(folder, databaseFile);
  const first = await openSqliteDatabase({ folder });
  await first.tenants.insertTenant('before');
  await (await openSqliteDatabase({ folder })).close();
  // Python uses the system's SQLite, which relies on the locks; SQLite 3.51 and later copes with their loss.
  const look =
    'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("select * from tenant"); c.close()';
  const other = spawn('python3', ['-c', look, path], { stdio: 'inherit' });
  assert.deepEqual(await once(other, 'close'), [0, null]);
  assert(existsSync(`${path}-wal`), 'the log that the first one writes to is there');
  await first.close();
});

test('every connection uses a write-ahead log and syncs each commit to disk', async () => {
  const folder = join(parent, 'pragmas');
  const database = await openSqliteDatabase({ folder });
  const { connection } = connect(join(folder, databaseFile));
  const read = (name: string) => Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0];
  assert.equal(read('journal_mode'), 'wal');
  assert.equal(read('synchronous'), 2n, 'FULL');
  assert.equal(read('foreign_keys'), 1n);
  connection.close();
  await database.close();
});

test('an acknowledged write is in the file before its promise resolves', async () => {
  const folder = join(parent, 'acknowledged');
  const database = await openSqliteDatabase({ folder });
  await database.tenants.insertTenant('tenant-on-disk');
  const path = join(folder, databaseFile);
  const bytes = Buffer.concat([readFileSync(path), readFileSync(`${path}-wal`)]);
  assert(bytes.includes('tenant-on-disk'));
  await database.close();
});

test('written data survives a restart, and the migrations run once', async () => {
  const folder = join(parent, 'restart');
  const first = await openSqliteDatabase({ folder });
  const tenant = await first.tenants.insertTenant('kept');
  await first.close();
  const second = await openSqliteDatabase({ folder });
  assert.deepEqual(await second.tenants.findTenant('kept'), tenant);
  await second.close();
});

test('simultaneous starts all succeed although no database exists', async () => {
  const folder = join(parent, 'together');
  const stores = await Promise.all([1, 2, 3, 4].map(() => openSqliteDatabase({ folder })));
  await Promise.all(stores.map((database) => database.ping()));
  for (const database of stores) await database.close();
});

/** A process that takes the write lock, reports it, and holds it until its input ends. */
const lockHolder = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1]);
  db.exec('begin immediate');
  process.stdout.write('locked');
  process.stdin.on('end', () => { db.exec('rollback'); db.close(); }).resume();
`;

test('while another process holds the lock, reads go on and a write is refused as busy; then writes go on', async () => {
  const folder = join(parent, 'locked');
  const database = await openSqliteDatabase({ folder, lockWaitMs: 30 });
  const tenant = await database.tenants.insertTenant('t');
  const tenantId = tenant?.id ?? 0n;
  const holder = spawn(process.execPath, ['-e', lockHolder, join(folder, databaseFile)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await assert.rejects(database.write(tenantId, undefined, nothing), BusyError);
  await assert.rejects(database.claims.make({ requestId: 'r', expiresAtSeconds: 1 }), BusyError);
  assert.equal(await database.directory(tenantId).userExists(1n), false);
  holder.stdin.end();
  await once(holder, 'close');
  await database.write(tenantId, undefined, nothing);
  await database.close();
});

test('writes in flight are finished before the database closes', async () => {
  const folder = join(parent, 'closing');
  const database = await openSqliteDatabase({ folder });
  const creations = ['a', 'b', 'c'].map((name) => database.tenants.insertTenant(name));
  await database.close();
  assert.equal((await Promise.all(creations)).length, 3);
  const again = await openSqliteDatabase({ folder });
  assert.equal((await again.tenants.listTenants()).length, 3);
  await again.close();
});

test('without permission to migrate, a missing database is refused and not made', async () => {
  const folder = join(parent, 'absent');
  await assert.rejects(openSqliteDatabase({ folder, migrate: false }), {
    name: 'SchemaError',
    message: new RegExp(`^there is no database in ${folder}; `),
  });
  assert.equal(existsSync(folder), false);
});

/** Makes a database in a folder, and changes its file. */
async function makeChanged(name: string, sql: string): Promise<string> {
  const folder = join(parent, name);
  await (await openSqliteDatabase({ folder })).close();
  const connection = new DatabaseSync(join(folder, databaseFile));
  connection.exec(sql);
  connection.close();
  return folder;
}

test('without permission to migrate, a database of this release is opened and an older one is refused', async () => {
  const current = await makeChanged('current', 'select 1');
  await (await openSqliteDatabase({ folder: current, migrate: false })).close();
  const older = await makeChanged('older', "delete from kysely_migration where name like '011-%'");
  await assert.rejects(openSqliteDatabase({ folder: older, migrate: false }), {
    name: 'SchemaError',
    message: /^the database lacks 011-operator-link-maker, so it belongs to an earlier release: /,
  });
});

test('the tables of a newer release are served, and the notice names its migrations', async () => {
  const insert = "insert into kysely_migration (name, timestamp) values ('999-next', '2027-01-01T00:00:00Z')";
  const folder = await makeChanged('newer', insert);
  const notices: [object, string][] = [];
  const notice = (fields: object, message: string) => void notices.push([fields, message]);
  await (await openSqliteDatabase({ folder, notice })).close();
  assert.deepEqual(notices[0]?.[0], { migrations: ['999-next'] });
  assert.match(notices[0]?.[1] ?? '', /changed by a newer release \(999-next\)/);
  await (await openSqliteDatabase({ folder })).close();
  notices.length = 0;
  await (await openSqliteDatabase({ folder: join(parent, 'modes-again'), notice })).close();
  assert.deepEqual(notices, []);
});

test('a migration that fails is undone, and the file is free for others', async () => {
  const folder = join(parent, 'conflict');
  mkdirSync(folder);
  const other = new DatabaseSync(join(folder, databaseFile));
  other.exec('create table audit_event (mine)');
  await assert.rejects(openSqliteDatabase({ folder }), /table "?audit_event"? already exists/);
  const tables = other.prepare("select name from sqlite_schema where type = 'table'").all();
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['audit_event'],
  );
  other.exec('pragma journal_mode = delete');
  other.close();
});

test('a file that is not a database is refused, and the error names its path', async () => {
  const folder = join(parent, 'text');
  mkdirSync(folder);
  writeFileSync(join(folder, databaseFile), 'not a database'.repeat(1000));
  await assert.rejects(openSqliteDatabase({ folder }), {
    name: 'DatabaseFileError',
    message: new RegExp(join(folder, databaseFile)),
  });
});

/** Opens a database whose table of roles is damaged, and nothing else. */
async function openDamaged(name: string) {
  const folder = join(parent, name);
  const first = await openSqliteDatabase({ folder });
  const tenant = await first.tenants.insertTenant('t');
  await first.close();
  const path = join(folder, databaseFile);
  const connection = new DatabaseSync(path);
  const { page } = connection
    .prepare("select rootpage * 4096 as page from sqlite_schema where name = 'role'")
    .get() as { page: number };
  connection.close();
  const database = await openSqliteDatabase({ folder });
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, page - 4096, page), { flag: 'r+' });
  return { database, tenantId: tenant?.id ?? 0n };
}

const isDamaged = {
  name: 'BusyError',
  message:
    'the file of the database is damaged or could not be read; run fieldroster doctor before you restore a backup',
};

test('damage that a read finds ends all writes', async () => {
  const { database, tenantId } = await openDamaged('damaged-read');
  await assert.rejects(database.directory(tenantId).roles.find(1n), /malformed/);
  await assert.rejects(database.write(tenantId, undefined, nothing), isDamaged);
  await database.close();
});

test('damage that a write finds ends all writes', async () => {
  const { database, tenantId } = await openDamaged('damaged-write');
  const read = async (directory: DirectoryWriter) => {
    await directory.roles.find(1n);
    return nothing(directory);
  };
  await assert.rejects(database.write(tenantId, undefined, read), /malformed/);
  await assert.rejects(database.write(tenantId, undefined, nothing), isDamaged);
  await database.close();
});

test('a database whose bookkeeping can no longer be written still closes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-close-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const database = await openSqliteDatabase({ folder, now: Date.now });
  t.mock.method(database.bookkeeping, 'close', () => Promise.reject(new Error('the disk is full')));
  await assert.rejects(database.close(), /the disk is full/);
  assert.deepEqual(logsIn(folder), []);
});

test('a database whose bookkeeping cannot be opened anywhere is closed', async () => {
  const folder = join(parent, 'no-bookkeeping');
  mkdirSync(join(folder, bookkeepingFile), { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(folder, 'no such folder');
  try {
    await assert.rejects(openSqliteDatabase({ folder }), { code: 'ENOENT' });
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  assert.deepEqual(logsIn(folder), []);
});
