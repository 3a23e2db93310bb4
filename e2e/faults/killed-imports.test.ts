import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { collectResult, spawnFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, storeCodeOf } from '../provision-directory.ts';
import { digestTables, readRows, untilAlone } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';

const kills = atScale({ bounded: 2, full: 20 });

/** Rows of each list, and users. */
const rowCount = atScale({ bounded: 2_000, full: 10_000 });
const userCount = atScale({ bounded: 500, full: 4_000 });

const storesPerUser = 5;

/** The tables that an import of a list changes, and the columns that its file gives. */
const lists = {
  store: { columns: ['code', 'name', 'address'], row: (index: number) => storeCodeOf(index + 1_000) },
  org: { columns: ['id', 'name', 'parent_id'], row: (index: number) => `${index + 1_000}` },
  role: { columns: ['id', 'name', 'description'], row: (index: number) => `${index + 1_000}` },
} as const;

type List = keyof typeof lists;

const listNames = Object.keys(lists) as List[];

describeOnEachEngine((provision) => {
  for (const list of listNames)
    test(`${kills} kills during imports of a ${list} list leave none of its rows or all, with one audit row`, async (t) => {
      const directory = await provision(20);
      const random = SeededRandom.ofRun();
      t.diagnostic(`seed ${random.seed}`);
      const wholeMs = await runListImport(directory, list, 'first');
      let completed = 0;
      let before = await stateOf(directory, list);
      for (let kill = 0; kill < kills; kill++) {
        const name = `name ${kill}`;
        await runListImport(directory, list, name, random.next() * wholeMs);
        await untilAlone(directory);
        let after = await stateOf(directory, list);
        if (after.audit.length > before.audit.length) completed += 1;
        else {
          assert.deepEqual(after, before);
          await runListImport(directory, list, name);
          after = await stateOf(directory, list);
        }
        requireComplete(list, { before, after, name });
        before = after;
      }
      t.diagnostic(
        `figure: ${kills} kills during an import of ${rowCount} ${list} rows of ${Math.round(wholeMs)} ms, ${completed} after its end`,
      );
      await directory.remove();
    });

  test(`a user import that was killed ${kills} times and resumed ends like one that was not`, async (t) => {
    const random = SeededRandom.ofRun();
    t.diagnostic(`seed ${random.seed}`);
    const whole = await importUsers(await provision(20), []);
    const pauses = Array.from({ length: kills }, () => (random.next() * whole.ms) / kills);
    const killed = await importUsers(await provision(20), pauses);
    assert.deepEqual(killed.users, whole.users);
    assert.equal(whole.users.length, userCount - whole.failures.length);
    assert.deepEqual(killed.lines, whole.lines);
    assert.deepEqual(killed.failures, whole.failures);
    assert.ok(whole.failures.length > 0, 'some rows fail');
    t.diagnostic(
      `figure: ${killed.kills} kills during a user import of ${userCount} rows of ${Math.round(whole.ms)} ms, resumed after ${killed.rowsDone.join(', ')} rows`,
    );
  });
});

/**
 * Imports a list with this name in every row; returns how long the command worked, in milliseconds.
 *
 * @param killAfterMs when to kill the command after it has opened the file; absent to let it end
 */
async function runListImport(
  directory: Provisioned,
  list: List,
  name: string,
  killAfterMs?: number,
): Promise<number> {
  const file = join(directory.folder, `${list}.csv`);
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
  const child = spawnFieldroster([list, 'import', file, ...directory.flags]);
  const result = collectResult(child);
  const writer = createWriteStream(file);
  // A killed command may have read a part of it.
  writer.on('error', () => {});
  // The end of the command opens nothing, so a command that fails before must not leave the writer waiting.
  await Promise.race([once(writer, 'open'), result.then(({ stderr }) => assert.fail(stderr))]);
  const startedMs = performance.now();
  const { columns } = lists[list];
  const rows = namedRows(list, name).map((row) => columns.map((column) => row[column] ?? '').join(','));
  writer.end(`${columns.join(',')}\n${rows.join('\n')}\n`);
  if (killAfterMs !== undefined) {
    await delay(killAfterMs);
    child.kill('SIGKILL');
  }
  const { exitCode, stderr } = await result;
  if (killAfterMs === undefined) assert.equal(exitCode, 0, stderr);
  writer.destroy();
  return performance.now() - startedMs;
}

/** The rows of the file, as the table has them afterwards. */
function namedRows(list: List, name: string): Record<string, string | null>[] {
  const { columns, row } = lists[list];
  const [key, , third] = columns;
  const last = third === 'parent_id' ? null : name;
  return Array.from({ length: rowCount }, (_, index) => ({ [key]: row(index), name, [third]: last }));
}

type State = Awaited<ReturnType<typeof stateOf>>;

async function stateOf(directory: Provisioned, list: List) {
  const { columns } = lists[list];
  const rows = await readRows(directory, `select ${columns.join(', ')} from ${list} order by ${columns[0]}`);
  return {
    rows: rows.map(toTexts),
    audit: (await readRows(directory, 'select operation, changes from audit_event order by id')).map(toTexts),
    tables: await digestTables(directory),
  };
}

/** Requires that an import has changed every row of its list, and nothing else but the audit. */
function requireComplete(list: List, change: { before: State; after: State; name: string }): void {
  const { before, after, name } = change;
  assert.deepEqual(after.rows, [...before.rows.slice(0, -rowCount), ...namedRows(list, name)]);
  const changes = JSON.stringify({ inserted: 0, updated: rowCount, unchanged: 0 });
  assert.deepEqual(after.audit, [...before.audit, { operation: `${list} import`, changes }]);
  const untouched = (name: string) => name !== list && name !== 'audit_event' && name !== 'sqlite_sequence';
  const others = ({ tables }: State) => Object.entries(tables).filter(([name]) => untouched(name));
  assert.deepEqual(others(after), others(before));
}

function toTexts(row: Record<string, unknown>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
  );
}

/** Imports users through a server, killed after these pauses, in milliseconds, and then to the end. */
async function importUsers(directory: Provisioned, pausesMs: readonly number[]) {
  const file = join(directory.folder, 'users.csv');
  writeFileSync(file, usersFile(directory));
  const server = await ServerProcess.start(directory);
  const rowsDone: number[] = [];
  let ms = 0;
  for (const [index, pauseMs] of [...pausesMs, undefined].entries()) {
    const before = readRowsDone(file);
    const child = startUserImport(directory, server, file);
    const result = collectResult(child);
    while (child.exitCode === null && !existsSync(`${file}.result.csv.lock`)) await delay(2);
    const startedMs = performance.now();
    if (pauseMs !== undefined) {
      // Every other kill comes while the command prepares, the rest while it sends.
      const isEarly = () => index % 2 === 1 && readRowsDone(file) === before;
      while (child.exitCode === null && isEarly()) await delay(1);
      await delay(pauseMs);
      child.kill('SIGKILL');
    }
    const { exitCode, stderr } = await result;
    ms = performance.now() - startedMs;
    // It ends with 1 because rows fail.
    if (exitCode !== null) assert.equal(exitCode, 1, stderr);
    if (exitCode !== null) break;
    rowsDone.push(readRowsDone(file));
    // Otherwise it would look like the lock of the next run.
    rmSync(`${file}.result.csv.lock`, { force: true });
  }
  assert.ok(!existsSync(`${file}.result.csv.state`));
  await server.stop();
  const [, ...lines] = readFileSync(`${file}.result.csv`, 'utf8').trimEnd().split('\n');
  const results = lines.map((line) => line.split(','));
  const users = await readUsers(directory);
  await directory.remove();
  return {
    ms,
    users,
    kills: rowsDone.length,
    rowsDone,
    lines: results.map(([line]) => line),
    failures: results.filter(([, , outcome]) => outcome === 'failed'),
  };
}

function startUserImport({ credentials }: Provisioned, { url }: ServerProcess, file: string) {
  return spawnFieldroster(['user', 'import', file, '--batch-size', '20', '--parallel', '3'], {
    FIELDROSTER_URL: url,
    FIELDROSTER_APP_ID: credentials.appId,
    FIELDROSTER_APP_SECRET: credentials.appSecret,
  });
}

/** Includes rows that fail, which an interrupted import must report once, too. */
function usersFile({ storeCodes, roleIds, orgIds }: Provisioned): string {
  const pick = <Item>(items: readonly Item[], index: number) => items[index % items.length];
  const rows = Array.from({ length: userCount }, (_, index) => {
    const codes = Array.from({ length: storesPerUser }, (_, place) => pick(storeCodes, index * 3 + place));
    if (index % 97 === 5) codes.push('nowhere');
    return `user.${index},Name of ${index},${pick(roleIds, index)},${pick(orgIds, index)},${codes.join(';')}`;
  });
  return `username,real_name,role_id,org_id,store_codes\n${rows.join('\n')}\n`;
}

function readRowsDone(file: string): number {
  const state = `${file}.result.csv.state`;
  return existsSync(state) ? (JSON.parse(readFileSync(state, 'utf8')) as { rowsDone: number }).rowsDone : 0;
}

async function readUsers(directory: Provisioned) {
  const users = await readRows(
    directory,
    `select username, real_name, role_id, org_id from "user" u
      left join user_role r on r.tenant_id = u.tenant_id and r.user_id = u.id
      left join user_org o on o.tenant_id = u.tenant_id and o.user_id = u.id order by username`,
  );
  const stores = await readRows(
    directory,
    `select username, store_code from user_store s
      join "user" u on u.tenant_id = s.tenant_id and u.id = s.user_id order by username, store_code`,
  );
  const codes = Map.groupBy(stores, ({ username }) => username);
  return users.map((user) => ({
    ...toTexts(user),
    stores: (codes.get(user.username) ?? []).map(({ store_code }) => store_code),
  }));
}
