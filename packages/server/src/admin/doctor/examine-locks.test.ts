import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type OwnPostgres, patientDirectory, runSql, startPostgres } from '../../../test/test-postgres.ts';
import { readSettings } from '../../config.ts';
import { openDirectory } from '../open-directory.ts';
import { examine } from './examine.ts';

const lockWaitMs = 200;

async function makeDirectory(t: TestContext, database?: string): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-locks-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const opened = await openDirectory({
    data,
    ...(database && { ...patientDirectory, database }),
    environment: {},
  });
  await opened.database.write(1n, undefined, async (writer) => {
    await writer.insertUser('mara', {});
    return { result: undefined, audit: { operation: 'create-user', changes: {} } };
  });
  await opened.database.close();
  return data;
}

/** Returns the findings about locks, and asserts that the first check is theirs. */
async function examineLocks(data: string, database?: string) {
  const settings = readSettings({ data, ...(database && { database }) }, {});
  const findings = await examine({ settings, environment: {}, quick: true, lockWaitMs });
  assert.equal(findings[0]?.check, 'locks');
  return findings.filter(({ check }) => check === 'locks');
}

const said = { key: 'noLocks', values: {} };
const free = [{ check: 'locks', level: 'ok', message: 'no lock holds up writes', said }];

describe('on SQLite', () => {
  /** Takes the write lock of the database in the folder that the first argument names. */
  const program = `
    const connection = new (require('node:sqlite').DatabaseSync)(process.argv[FIRST] + '/fieldroster.db');
    connection.exec('begin immediate');
    console.log('taken');
    setInterval(() => {}, 1000);`;

  /** Starts another process that takes the write lock and keeps it. */
  async function keepLock(t: TestContext, words: readonly string[], cwd = tmpdir()): Promise<ChildProcess> {
    const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  }

  test('a process that holds the write lock is an error that names it, until it ends', async (t) => {
    const data = await makeDirectory(t);
    const holder = await keepLock(t, ['-e', program.replace('FIRST', '1'), data, 'geheim']);
    const [found, ...more] = await examineLocks(data);
    assert.deepEqual(more, []);
    assert.equal(found?.level, 'error');
    assert.match(
      found?.message ?? '',
      new RegExp(
        `^process ${holder.pid} \\(node\\) holds up every write: it is holding the write lock; the process was started at 20\\S+Z$`,
      ),
    );
    assert.match(found?.advice ?? '', new RegExp(`otherwise end it with kill ${holder.pid};`));
    assert.ok(!JSON.stringify(found).includes('geheim'));
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    assert.deepEqual(await examineLocks(data), free);
  });

  test('a foreign program that is called like our own is named by its file, without its arguments', async (t) => {
    const data = await makeDirectory(t);
    const script = join(data, 'main.js');
    writeFileSync(script, program.replace('FIRST', '3'));
    for (const [named, words, cwd] of [
      [script, [script, 'geheim', data], undefined],
      ['main.js', ['main.js', 'geheim', data], data],
      [script, ['--trace-warnings', script, 'geheim', data], undefined],
    ] as const) {
      const holder = await keepLock(t, words, cwd);
      const [found] = await examineLocks(data);
      const said = JSON.stringify(found);
      assert.ok(found?.message.startsWith(`process ${holder.pid} (node ${named}) holds up`), said);
      assert.ok(found?.advice?.includes(`ps -o args= -p ${holder.pid}`), said);
      assert.ok(!said.includes('geheim'));
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
    }
  });

  test('looking for a lock changes no byte of the database, and writes nothing to its log', async (t) => {
    const data = await makeDirectory(t);
    const path = join(data, 'fieldroster.db');
    const before = readFileSync(path);
    assert.deepEqual(await examineLocks(data), free);
    assert.deepEqual(readFileSync(path), before);
    assert.equal(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0);
  });

  test('a server that runs holds up nobody', async (t) => {
    const data = await makeDirectory(t);
    const { database } = await openDirectory({ data, environment: {} });
    t.after(() => database.close());
    assert.deepEqual(await examineLocks(data), free);
  });
});

describe('on PostgreSQL', () => {
  let postgres: OwnPostgres;
  before(async () => {
    postgres = await startPostgres({ durable: false, settings: ['max_prepared_transactions=5'] });
  });
  after(() => postgres.stop());

  async function connect(t: TestContext, url: string, application: string) {
    const client = new pg.Client({ connectionString: url, application_name: application });
    // It is ended by the end of the server.
    client.on('error', () => {});
    await client.connect();
    t.after(() => client.end().catch(() => {}));
    const { rows } = await client.query('select pg_backend_pid() as pid');
    return { client, pid: Number(rows[0].pid) };
  }

  /** Begins a transaction that changes the only user. */
  async function holdUser(t: TestContext, url: string) {
    const holder = await connect(t, url, 'report');
    await holder.client.query('begin');
    await holder.client.query("update \"user\" set phone = 'geheim' where username = 'mara'");
    return holder;
  }

  /** Waits until one of these times is so long ago that the doctor reports it. */
  async function untilLongAgo(url: string, times: string): Promise<void> {
    const long = `select 1 where (${times}) < clock_timestamp() - interval '${lockWaitMs} ms'`;
    while ((await runSql(url, long)).length === 0) await delay(10);
  }

  const untilSomebodyWaited = (url: string) =>
    untilLongAgo(url, 'select min(waitstart) from pg_locks where not granted');
  const untilUnchanged = (url: string, pid: number) =>
    untilLongAgo(url, `select state_change from pg_stat_activity where pid = ${pid}`);

  /** Begins a write that a lock holds up, and waits until it has waited as long as a finding takes. */
  async function letAWriteWait(t: TestContext, url: string) {
    const { client } = await connect(t, url, 'waiter');
    // In an object, because an async function would wait for it.
    const waiting = { written: client.query('update "user" set phone = \'\'') };
    await untilSomebodyWaited(url);
    return waiting;
  }

  test('a session that is idle in a transaction with locks is a warning, and an error once others wait', async (t) => {
    const url = await postgres.createMigratedDatabase();
    const data = await makeDirectory(t, url);
    assert.deepEqual(await examineLocks(data, url), free);
    const { client, pid } = await holdUser(t, url);
    await untilUnchanged(url, pid);
    const [idle, ...more] = await examineLocks(data, url);
    assert.deepEqual(more, []);
    assert.equal(idle?.level, 'warning');
    const said = 'has been idle in a transaction since 20\\S+Z after update, and holds locks on user';
    const name = `session ${pid} \\(application report, role \\w+, from 127\\.0\\.0\\.1\\)`;
    assert.match(idle?.message ?? '', new RegExp(`^${name} ${said}$`));
    assert.match(idle?.advice ?? '', new RegExp(`select pg_terminate_backend\\(${pid}\\);`));

    const waiting = await letAWriteWait(t, url);
    const [found, ...others] = await examineLocks(data, url);
    assert.deepEqual(others, [], 'the session that waits is not to blame');
    assert.equal(found?.level, 'error');
    assert.match(found?.message ?? '', new RegExp(`^${name} holds up 1 session: it ${said}$`));
    assert.ok(!JSON.stringify([idle, found]).includes('geheim'));
    await client.query('rollback');
    await waiting.written;
    assert.deepEqual(await examineLocks(data, url), free);
  });

  test('a session at work that stops every write is found before anybody waits', async (t) => {
    const url = await postgres.createMigratedDatabase();
    const data = await makeDirectory(t, url);
    const { client, pid } = await connect(t, url, 'report');
    await client.query('begin; lock table "user" in exclusive mode');
    const work = client.query("select pg_sleep(60), 'geheim'").catch(() => {});
    const sleeps = `select 1 from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`;
    while ((await runSql(url, sleeps)).length === 0) await delay(10);
    await untilUnchanged(url, pid);
    const [found] = await examineLocks(data, url);
    assert.equal(found?.level, 'warning');
    assert.match(
      found?.message ?? '',
      new RegExp(
        `^session ${pid} .* has been running select since 20\\S+Z, is waiting for Timeout PgSleep, and holds locks on user$`,
      ),
    );
    assert.ok(!JSON.stringify(found).includes('geheim'));
    await runSql(url, `select pg_terminate_backend(${pid})`);
    await work;
    assert.deepEqual(await examineLocks(data, url), free);
  });

  test('a lock that stops even reads does not stop the doctor, which says what it could not check', async (t) => {
    const url = await postgres.createMigratedDatabase();
    const data = await makeDirectory(t, url);
    const { client, pid } = await connect(t, url, 'report');
    await client.query('begin; lock table audit_event');
    await untilUnchanged(url, pid);
    const found = await examineLocks(data, url);
    assert.match(found[0]?.message ?? '', new RegExp(`^session ${pid} .* holds locks on audit_event$`));
    assert.deepEqual(
      [found[1]?.level, found[1]?.message],
      ['error', 'because of a lock that stops even reads, these checks could not be made: clock'],
    );
  });

  test('a role that may not see other sessions still learns which one holds up others', async (t) => {
    const url = await postgres.createMigratedDatabase();
    const data = await makeDirectory(t, url);
    await runSql(url, "create role looker login password 'x'");
    const { pid } = await holdUser(t, url);
    const waiter = await connect(t, url, 'waiter');
    waiter.client.query('update "user" set phone = \'\'').catch(() => {});
    await untilSomebodyWaited(url);
    const asLooker = Object.assign(new URL(url), { username: 'looker', password: 'x' }).href;
    const [found] = await examineLocks(data, asLooker);
    assert.match(
      found?.message ?? '',
      new RegExp(
        `^session ${pid} \\(application report, role \\w+\\) holds up 1 session: it is doing something that this role may not see, and holds locks on user$`,
      ),
    );
  });

  test('a prepared transaction that was left behind is a warning, and an error once others wait for it', async (t) => {
    const url = await postgres.createMigratedDatabase();
    const data = await makeDirectory(t, url);
    const { client } = await holdUser(t, url);
    await client.query("prepare transaction 'it''s left'");
    await untilLongAgo(url, 'select prepared from pg_prepared_xacts where database = current_database()');
    const [left, ...more] = await examineLocks(data, url);
    assert.deepEqual(more, []);
    assert.equal(left?.level, 'warning');
    const name = "the prepared transaction it's left \\(role \\w+\\)";
    assert.match(left?.message ?? '', new RegExp(`^${name} has kept its locks since 20\\S+Z$`));

    const waiting = await letAWriteWait(t, url);
    const [found, ...others] = await examineLocks(data, url);
    assert.deepEqual(others, [], 'the session that waits is not to blame');
    assert.equal(found?.level, 'error');
    assert.match(
      found?.message ?? '',
      new RegExp(`^${name} holds up 1 session: it has kept its locks since 20\\S+Z$`),
    );
    assert.match(
      found?.advice ?? '',
      /ask its owner .*commit prepared 'it''s left'.*rollback prepared 'it''s left'/,
    );
    await client.query("rollback prepared 'it''s left'");
    await waiting.written;
    assert.deepEqual(await examineLocks(data, url), free);
  });

  test('of several prepared transactions on a table, only the one whose lock conflicts is to blame', async (t) => {
    const url = await postgres.createMigratedDatabase();
    const data = await makeDirectory(t, url);
    for (const [gid, mode] of [
      ['reads', 'access share'],
      ['stops', 'share'],
    ]) {
      const { client } = await connect(t, url, 'report');
      await client.query(`begin; lock table "user" in ${mode} mode; prepare transaction '${gid}'`);
    }
    const waiting = await letAWriteWait(t, url);
    const found = await examineLocks(data, url);
    assert.deepEqual(
      found.map(({ level, message }) => [level, /^the prepared transaction (\w+) /.exec(message)?.[1]]),
      [
        ['error', 'stops'],
        ['warning', 'reads'],
      ],
    );
    for (const gid of ['reads', 'stops']) await runSql(url, `rollback prepared '${gid}'`);
    await waiting.written;
  });

  test('a prepared transaction that holds up others is found after a restart, which it survives', async (t) => {
    const url = await postgres.createMigratedDatabase();
    const data = await makeDirectory(t, url);
    const { client } = await holdUser(t, url);
    await client.query("prepare transaction 'survivor'");
    await postgres.process.stop();
    await postgres.start();
    const waiting = await letAWriteWait(t, url);
    const [found] = await examineLocks(data, url);
    assert.match(found?.message ?? '', /^the prepared transaction survivor .* holds up 1 session:/);
    await runSql(url, "rollback prepared 'survivor'");
    await waiting.written;
  });
});
