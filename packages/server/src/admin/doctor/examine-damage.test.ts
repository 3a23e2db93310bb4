import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { readSettings } from '../../config.ts';
import { issueApplication } from '../applications.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { openDirectory } from '../open-directory.ts';
import { type ExamineOptions, examine, exitCodeOf } from './examine.ts';
import type { NamedFinding } from './finding.ts';

const pageBytes = 4096;

const backupOptions = { release: '0.1.0', verify: false };

/** The checks that read no database, which a damaged one must not silence. */
const withoutDatabase = ['disk space', 'sync latency', 'file modes', 'settings'];

async function makeDatabase(t: TestContext): Promise<{ readonly data: string; readonly path: string }> {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-damage-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const directory = await openDirectory({ data, environment: {} });
  await issueApplication(directory, { name: 'x', tenant: 'default', scope: 'write', appId: 'app-x' });
  await directory.database.close();
  return { data, path: join(data, 'fieldroster.db') };
}

function overwrite(path: string, from: number, to: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(to - from, 0x55), 0, to - from, from);
  closeSync(file);
}

/** Returns the offset of the first page of a table or an index. */
function rootOf(path: string, name: string): number {
  using connection = new DatabaseSync(path, { readOnly: true });
  const row = connection.prepare('select rootpage from sqlite_schema where name = ?').get(name);
  return (Number(row?.rootpage) - 1) * pageBytes;
}

function createdAt(data: string): string {
  using connection = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
  const row = connection.prepare('select created_at from tenant order by id').get();
  return new Date(Number(row?.created_at)).toISOString();
}

async function examineFolder(data: string, more: Partial<ExamineOptions> = {}) {
  const findings = await examine({ settings: readSettings({ data }, {}), environment: {}, ...more });
  const bad = findings.filter(({ level }) => level === 'error' || level === 'warning');
  return { findings, bad, ofDatabase: bad.filter(({ check }) => check === 'database') };
}

function assertDamageIsTold(
  { findings, ofDatabase }: { findings: readonly NamedFinding[]; ofDatabase: readonly NamedFinding[] },
  path: string,
  said: string,
): void {
  const [damage, unmade] = ofDatabase;
  assert.equal(ofDatabase.length, 2, JSON.stringify(findings, null, 1));
  assert.equal(damage?.level, 'error');
  assert.equal(damage?.message, `the database ${path} ${said}`);
  assert.match(damage?.advice ?? '', /restore the last backup.*docs\/runbook\.md/);
  assert.match(unmade?.message ?? '', /^because of that, these checks could not be made: /);
  assert.ok(!JSON.stringify(findings).includes('could not be carried out'));
  for (const name of withoutDatabase)
    assert.ok(
      findings.some(({ check }) => check === name),
      name,
    );
  assert.equal(exitCodeOf(findings), 2);
}

test('a damaged bookkeeping is a warning that says what is lost; a missing one is no finding', async (t) => {
  const { data } = await makeDatabase(t);
  const path = join(data, 'fieldroster-bookkeeping.db');
  const examineBookkeeping = async (quick: boolean) => {
    const { findings, bad } = await examineFolder(data, { quick });
    const [{ message = '' } = {}] = findings.filter(({ check }) => check === 'bookkeeping');
    return {
      bad: bad.filter(({ check }) => check === 'bookkeeping'),
      exitCode: exitCodeOf(findings),
      message,
    };
  };
  const assertFound = async (quick: boolean, said: string) => {
    const { bad, exitCode } = await examineBookkeeping(quick);
    assert.equal(exitCode, 1);
    assert.deepEqual(
      bad.map(({ level }) => level),
      ['warning'],
    );
    assert.ok(bad[0]?.message.startsWith(`${path} is damaged (${said}`), JSON.stringify(bad));
    assert.match(bad[0]?.message ?? '', /the directory is not affected, but summaries of calls.* are lost$/);
    assert.match(bad[0]?.advice ?? '', /restart the server.*docs\/monitoring\.md/);
  };
  const sound = { bad: [], exitCode: 0, message: `${path} can be read` };
  assert.deepEqual(await examineBookkeeping(false), sound);
  overwrite(path, rootOf(path, 'entry_count'), rootOf(path, 'entry_count') + pageBytes);
  assert.deepEqual((await examineBookkeeping(true)).bad, [], 'the quick check does not read that page');
  await assertFound(false, '');
  writeFileSync(path, 'junk');
  for (const quick of [true, false]) await assertFound(quick, 'file is not a database');
  rmSync(path);
  const message = `there is no ${path} yet; the server makes it when it starts`;
  for (const quick of [true, false])
    assert.deepEqual(await examineBookkeeping(quick), { bad: [], exitCode: 0, message });
});

test('a bookkeeping that only cannot be read is not called lost', async (t) => {
  const { data } = await makeDatabase(t);
  const path = join(data, 'fieldroster-bookkeeping.db');
  rmSync(path);
  mkdirSync(path);
  const { bad } = await examineFolder(data, { quick: true });
  const [{ message = '', advice = '' } = {}] = bad.filter(({ check }) => check === 'bookkeeping');
  assert.equal(message, `${path} cannot be read (disk I/O error)`);
  assert.match(advice, /^make the user of the server the owner of the file, /);
});

const everyCheckOfTheDatabase =
  'because of that, these checks could not be made: locks, clock, schema, secrets (in part), settings (in part), backup, organizations, audit, integrity, foreign keys, change order, user search, orphans';

test('a database whose header is overwritten is reported as damaged, with the checks that it prevents', async (t) => {
  const { data, path } = await makeDatabase(t);
  overwrite(path, 0, 100);
  const examined = await examineFolder(data);
  assertDamageIsTold(examined, path, 'is damaged (file is not a database)');
  assert.equal(examined.ofDatabase[1]?.message, everyCheckOfTheDatabase);
  assert.equal(examined.bad.length, 2);
});

test('a truncated database is reported as damaged', async (t) => {
  const { data, path } = await makeDatabase(t);
  truncateSync(path, 8 * pageBytes);
  const examined = await examineFolder(data);
  assertDamageIsTold(examined, path, 'is damaged (database disk image is malformed)');
  assert.equal(examined.ofDatabase[1]?.message, everyCheckOfTheDatabase);
});

test('pages overwritten in the middle prevent only the checks that read them', async (t) => {
  const { data, path } = await makeDatabase(t);
  const from = rootOf(path, 'accepted_write');
  overwrite(path, from, from + pageBytes);
  const examined = await examineFolder(data);
  assertDamageIsTold(examined, path, 'is damaged (database disk image is malformed)');
  assert.equal(examined.ofDatabase[1]?.message, 'because of that, these checks could not be made: audit');
  const integrity = examined.bad.filter(({ check }) => check === 'integrity');
  assert.match(integrity.map(({ message }) => message).join(), /^the database is damaged: .+/);
});

test('every page overwritten but the first: nothing can be read', async (t) => {
  const { data, path } = await makeDatabase(t);
  overwrite(path, pageBytes, statSync(path).size);
  assertDamageIsTold(await examineFolder(data), path, 'is damaged (database disk image is malformed)');
});

test('an emptied or removed database beside its key file is lost, not absent', async (t) => {
  const { data, path } = await makeDatabase(t);
  truncateSync(path, 0);
  const lost = 'is lost: the file is empty or missing, but files that belong to it are beside it';
  const emptied = await examineFolder(data);
  assertDamageIsTold(emptied, path, lost);
  assert.equal(emptied.ofDatabase[1]?.message, everyCheckOfTheDatabase);
  rmSync(path);
  const removed = await examineFolder(data);
  assertDamageIsTold(removed, path, lost);
  const [{ advice = '' } = {}] = removed.ofDatabase;
  assert.match(advice, /^if the file was deleted while a server runs on it, do not stop that server yet: /);
});

test('the order of changes is not called right when damage keeps it from being compared', async (t) => {
  for (const name of ['user', 'user_by_change']) {
    const { data, path } = await makeDatabase(t);
    const from = rootOf(path, name);
    overwrite(path, from, from + pageBytes);
    const { findings, ofDatabase } = await examineFolder(data);
    assert.ok(!findings.some(({ check, level }) => check === 'change order' && level === 'ok'), name);
    assert.match(ofDatabase.at(-1)?.message ?? '', /could not be made: .*change order/);
  }
});

test('an order of changes that differs from the users is an error', async (t) => {
  const { data, path } = await makeDatabase(t);
  changeUsersWithoutTheirOrder(path);
  const { bad } = await examineFolder(data);
  const found = bad.filter(({ check }) => check === 'change order');
  assert.match(
    found.map(({ message }) => message).join(),
    /miss users .* differences \(.*missing from index user_by_change/,
  );
});

/** Hides the index from SQLite while a user is added. */
function changeUsersWithoutTheirOrder(path: string): void {
  const [select, index] = ['select * from sqlite_schema where name = ?', 'user_by_change'];
  const edit = (work: (connection: DatabaseSync) => void) => {
    using connection = new DatabaseSync(path, { defensive: false });
    connection.exec('pragma writable_schema = on');
    work(connection);
  };
  let row: Record<string, SQLOutputValue> = {};
  edit((connection) => {
    row = connection.prepare(select).get(index) ?? {};
    connection.prepare('delete from sqlite_schema where name = ?').run(index);
  });
  edit((connection) => {
    const columns = connection.prepare(`select name, type from pragma_table_info('user')`).all();
    const given: Record<string, SQLOutputValue> = { id: 7, username: 'x', status: 'active' };
    const values = columns.map(({ name, type }) => given[String(name)] ?? (type === 'TEXT' ? '' : 1));
    connection.prepare(`insert into "user" values (${values.map(() => '?')})`).run(...values);
  });
  edit((connection) =>
    connection
      .prepare('insert into sqlite_schema values (?, ?, ?, ?, ?)')
      .run(...['type', 'name', 'tbl_name', 'rootpage', 'sql'].map((column) => row[column] ?? null)),
  );
}

/** Every check that needs a PostgreSQL to answer. */
const everyCheckOfPostgres =
  'because of that, these checks could not be made: locks, clock, sync latency, schema, secrets (in part), settings (in part), backup, organizations, audit, integrity, foreign keys, change order, user search, orphans';

test('a journal beside the database is named, and not the owner of its files', async (t) => {
  const { data, path } = await makeDatabase(t);
  writeFileSync(`${path}-journal`, 'left by another program'.repeat(100));
  const [found] = (await examineFolder(data, { quick: true })).ofDatabase;
  assert.equal(
    found?.message,
    `the database ${path} cannot be read (attempt to write a readonly database), because ${path}-journal holds an unfinished change: start the server, which undoes it`,
  );
  await (await openDirectory({ data, environment: {} })).database.close();
  assert.deepEqual((await examineFolder(data, { quick: true })).bad, []);
});

test('without a database that answers, every check that needs none is made', async (t) => {
  const { data } = await makeDatabase(t);
  const key = join(data, 'master.key');
  chmodSync(key, 0o640);
  const backup = join(data, 'by hand');
  await makeBackup({ data }, backup, backupOptions);
  rmSync(join(data, 'fieldroster.db'));
  const database = 'postgres://u:geheim@127.0.0.1:1/n';
  const settings = readSettings({ data, database, databaseReplica: database }, {});
  const now = () => Date.now() + 72 * 3_600_000;
  const { findings, ofDatabase } = await examineFolder(data, { settings, backupFolder: data, now });
  assert.equal(findings[0], ofDatabase[0], 'the cause comes first');
  assert.match(ofDatabase[0]?.message ?? '', /127\.0\.0\.1:1/);
  assert.equal(ofDatabase.length, 2);
  assert.equal(ofDatabase[1]?.message, everyCheckOfPostgres.replace(' backup,', ''));
  const told = findings.map(({ level, check, message }) => `${level} ${check}: ${message}`);
  for (const expected of [
    `warning file modes: ${key} has mode 0640: the group of ${key} may use it`,
    `ok secrets: a valid master key is in ${key}`,
    'warning settings: --database-replica names the same database as --database',
  ])
    assert.ok(told.includes(expected), `${expected} is not in ${told.join('\n')}`);
  const ofBackup = findings.find(({ check }) => check === 'backup');
  assert.equal(ofBackup?.level, 'warning');
  assert.ok(
    ofBackup.message.includes(
      ` is 72 hours old: ${backup}; the check cannot tell whether it is a backup of this database`,
    ),
  );
  assert.ok(!JSON.stringify(findings).includes('geheim'));
  assert.equal(exitCodeOf(findings), 2);
  const alone = await examineFolder(data, { settings });
  assert.equal(alone.ofDatabase[1]?.message, everyCheckOfPostgres);
});

test('a folder in which every user may replace the key, the database or a backup is an error', async (t) => {
  const { data } = await makeDatabase(t);
  const backups = join(data, 'backups');
  mkdirSync(backups);
  const examineModes = async () => {
    const { findings } = await examineFolder(data, { quick: true, backupFolder: backups });
    return findings.filter(({ check }) => check === 'file modes');
  };
  for (const folder of [data, backups]) {
    chmodSync(folder, 0o777);
    const [found, ...others] = await examineModes();
    assert.deepEqual([found?.level, others], ['error', []]);
    assert.equal(
      found?.message,
      `${folder} has mode 0777: any user of this machine may replace the files in it`,
    );
    assert.equal(found?.advice, `run: chmod o-w ${folder}`);
    chmodSync(folder, 0o775);
    assert.equal((await examineModes())[0]?.level, 'ok', 'the group may be meant to write');
  }
});

test('a folder without a database is examined, and so is one that is missing', async (t) => {
  const { data } = await makeDatabase(t);
  const empty = join(data, 'empty');
  mkdirSync(empty);
  const { findings, bad, ofDatabase } = await examineFolder(empty);
  assert.match(ofDatabase[0]?.message ?? '', /^there is no database in /);
  assert.match(
    ofDatabase[0]?.advice ?? '',
    /; if its folder was deleted or moved while a server runs on it, do not stop that server: it still has every write; /,
  );
  assert.equal(
    ofDatabase[1]?.message,
    everyCheckOfTheDatabase.replace(' backup,', ' backup, bookkeeping,'),
    'no server makes the records where there is no database',
  );
  assert.equal(bad.length, 2);
  assert.match(
    findings.find(({ check }) => check === 'secrets')?.message ?? '',
    /^there is no master key in .*empty, and FIELDROSTER_MASTER_KEY is not set$/,
  );
  const missing = await examineFolder(join(data, 'none'));
  assert.deepEqual(
    missing.bad.map(({ level, check }) => [level, check]),
    [
      ['error', 'database'],
      ['error', 'disk space'],
      ['error', 'sync latency'],
      ['warning', 'database'],
    ],
  );
  assert.match(
    missing.findings.find(({ check }) => check === 'sync latency')?.advice ?? '',
    /^name the data folder of the server with --data/,
  );
  assert.ok(!JSON.stringify(missing.findings).includes('could not be carried out'));
});

test('the newest backup is named when the database cannot say which one was the last', async (t) => {
  const { data, path } = await makeDatabase(t);
  const folder = join(data, 'backups');
  mkdirSync(folder);
  const newest = join(folder, 'before the disk failed');
  for (const file of [join(folder, 'fieldroster-20990131T021700Z.backup'), newest])
    await makeBackup({ data }, file, backupOptions);
  overwrite(path, 0, 100);
  const settings = readSettings({ data, backupEveryMs: '6h', backupTo: folder }, {});
  const now = () => Date.now() + 5 * 3_600_000;
  const { findings, ofDatabase } = await examineFolder(data, { settings, now });
  const backup = findings.find(({ check }) => check === 'backup');
  assert.equal(backup?.level, 'note');
  assert.match(
    backup?.message ?? '',
    /^the newest backup of the database whose first tenant 'default' was created at \S+Z is 5 hours old: /,
  );
  assert.ok(
    backup?.message.endsWith(
      `${newest}; the check cannot tell whether it is a backup of this database, or whether it can be restored`,
    ),
  );
  assert.match(backup?.advice ?? '', /fieldroster backup verify/);
  assert.ok(!ofDatabase[1]?.message.includes('backup'));
});

test('without the database, the newest backup of each database in the folder is named with its first tenant', async (t) => {
  const { data, path } = await makeDatabase(t);
  const { data: other } = await makeDatabase(t);
  const folder = join(data, 'shared');
  mkdirSync(folder);
  const [own, older, newest] = [join(folder, 'own'), join(folder, 'older'), join(folder, 'newest')];
  await makeBackup({ data }, own, backupOptions);
  for (const file of [older, newest]) await makeBackup({ data: other }, file, backupOptions);
  const messages = async () =>
    (await examineFolder(data, { backupFolder: folder })).findings
      .filter(({ check }) => check === 'backup')
      .map(({ message }) => message);
  const [known, ...others] = await messages();
  assert.deepEqual([known?.includes(`: ${own};`), others], [true, []]);
  const created = [other, data].map(createdAt);
  overwrite(path, 0, 100);
  const told = await messages();
  assert.equal(told.length, 2, told.join('\n'));
  for (const [index, file] of [newest, own].entries()) {
    assert.ok(
      told[index]?.includes(`: ${file}; the check cannot tell whether it is a backup of this database`),
      told.join('\n'),
    );
    assert.ok(told[index]?.includes(` 'default' was created at ${created[index]} is`), told.join('\n'));
  }
});

test('the folder of the backups may be named to the doctor alone, without a schedule', async (t) => {
  const { data, path } = await makeDatabase(t);
  await makeBackup({ data }, join(data, 'x'), backupOptions);
  overwrite(path, 0, 100);
  const { findings, bad } = await examineFolder(data, { backupFolder: data });
  assert.match(findings.find(({ check }) => check === 'backup')?.message ?? '', /^the newest backup of /);
  assert.ok(!bad.some(({ check }) => check === 'settings'));
});

test('a check that fails for another reason is not reported as damage', async (t) => {
  const { data } = await makeDatabase(t);
  const findLastBackup = () => Promise.reject(new Error('no such table'));
  const { bad } = await examineFolder(data, { findLastBackup, quick: true });
  assert.deepEqual(
    bad.map(({ check, message }) => [check, message]),
    [['backup', 'the check could not be carried out: no such table']],
  );
});

test('a key that came from a mounted file is reported with its path', async (t) => {
  const { data, path } = await makeDatabase(t);
  truncateSync(path, 0);
  const key = Buffer.alloc(32, 1).toString('base64');
  for (const [file, place] of [
    ['/run/secrets/key', '/run/secrets/key'],
    ['', 'FIELDROSTER_MASTER_KEY'],
  ]) {
    const environment = { FIELDROSTER_MASTER_KEY: key, FIELDROSTER_MASTER_KEY_FILE: file };
    const { findings } = await examineFolder(data, { environment });
    const messages = findings.map(({ message }) => message);
    assert.ok(messages.includes(`a valid master key is in ${place}`), messages.join('\n'));
  }
});
