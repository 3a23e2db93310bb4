import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  openTestPostgres,
  patientDirectory,
  runSql,
  type TestPostgres,
} from '../../../test/test-postgres.ts';
import { TableSummarizer } from '../../database/queries/imports/table-summarizer.ts';
import { openDirectory } from '../open-directory.ts';
import { type BackupHeader, decodeRow, type TableLine } from './backup-format.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

let postgres: TestPostgres;
let folder: string;
/** The lines of a backup as this release makes it. */
let lines: readonly string[];

before(async () => {
  postgres = await openTestPostgres({ durable: false });
  folder = mkdtempSync(join(tmpdir(), 'fieldroster-hostile-'));
  const data = join(folder, 'source');
  const directory = await openDirectory({ data, environment });
  await directory.database.close();
  const made = join(folder, 'made.backup');
  await makeBackup({ data }, made, { release: '0.1.0', verify: false });
  lines = zstdDecompressSync(readFileSync(made)).toString().trimEnd().split('\n');
});

after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };

let count = 0;

/** Writes a backup with other lines and a manifest that agrees with them, as only somebody with bad intentions would. */
function write(changed: readonly string[]): string {
  const path = join(folder, `hostile-${++count}.backup`);
  const manifest = { ...headerOf(changed), tables: summariesOf(changed.slice(1, -1)) };
  const text = [...changed.slice(0, -1), JSON.stringify({ manifest })].map((line) => `${line}\n`).join('');
  writeFileSync(path, zstdCompressSync(text));
  return path;
}

function headerOf([first = '']: readonly string[]): BackupHeader {
  return (JSON.parse(first) as { header: BackupHeader }).header;
}

function summariesOf(content: readonly string[]) {
  const summaries = [];
  let columns: readonly string[] = [];
  let summarizer: TableSummarizer | undefined;
  for (const line of content) {
    const parsed = JSON.parse(line) as TableLine | unknown[];
    if (Array.isArray(parsed)) summarizer?.add([decodeRow(parsed, columns)]);
    else {
      if (summarizer !== undefined) summaries.push(summarizer.summary());
      summarizer = new TableSummarizer(parsed.table as never);
      columns = parsed.columns;
    }
  }
  if (summarizer !== undefined) summaries.push(summarizer.summary());
  return summaries;
}

/** Returns the lines with another header. */
function withHeader(change: object): readonly string[] {
  return [JSON.stringify({ header: { ...headerOf(lines), ...change } }), ...lines.slice(1)];
}

/** Returns the lines with a name in place of the column `name` of tenants, the last of its columns. */
function withColumn(name: string): readonly string[] {
  const at = lines.findIndex((line) => line.startsWith('{"table":"tenant"'));
  const { columns } = JSON.parse(lines[at] ?? '') as TableLine;
  const position = columns.indexOf('name');
  const last = <Value>(values: readonly Value[], value = values[position]) => [
    ...values.filter((_, index) => index !== position),
    value,
  ];
  return [
    ...lines.slice(0, at),
    JSON.stringify({ table: 'tenant', columns: last(columns, name) }),
    JSON.stringify(last(JSON.parse(lines[at + 1] ?? '') as unknown[])),
    ...lines.slice(at + 2),
  ];
}

async function restore(file: string, engine: 'SQLite' | 'PostgreSQL') {
  const data = join(folder, `target-${++count}`);
  const database = engine === 'PostgreSQL' ? await postgres.createDatabase() : undefined;
  const target = { data, environment, ...(database !== undefined && { ...patientDirectory, database }) };
  return { data, database, restored: restoreBackup(file, target) };
}

test('a backup whose manifest was rewritten, and nothing else, is restored', async () => {
  for (const engine of ['SQLite', 'PostgreSQL'] as const)
    await (await restore(write(lines), engine)).restored;
  const { restored } = await restore(write(withColumn('name')), 'PostgreSQL');
  await restored;
});

test('a column whose name is SQL runs none', async () => {
  const file = write(withColumn('name") from stdin; commit; create table planted (id bigint); --'));
  const { database = '', restored } = await restore(file, 'PostgreSQL');
  await assert.rejects(restored, /column "name"\) from stdin; .*" of relation "tenant" does not exist/);
  const rows = await runSql(database, `select to_regclass('planted') is null as absent`);
  assert.deepEqual(rows, [{ absent: true }]);
});

test('a cell in a form that no release writes is refused before anything is made of it', async () => {
  const at = lines.findIndex((line) => line.startsWith('{"table":"tenant"')) + 1;
  const [first, second] = JSON.parse(lines[at] ?? '') as unknown[];
  for (const cell of [
    { int: '9'.repeat(20) },
    { int: 5 },
    { int: '' },
    { bytes: { length: 8 } },
    {},
    true,
    [1],
  ]) {
    const row = JSON.stringify([first, second, cell]);
    const path = join(folder, `cell-${++count}.backup`);
    const text = [...lines.slice(0, at), row, ...lines.slice(at + 1)].map((line) => `${line}\n`).join('');
    writeFileSync(path, zstdCompressSync(text));
    const { restored } = await restore(path, 'SQLite');
    await assert.rejects(
      restored,
      /damaged or truncated \(a row contains a cell that cannot occur in a backup\)/,
      row.slice(0, 80),
    );
  }
});

test('a line that is damaged is refused without a word of it, which may be personal data', async () => {
  const at = lines.findIndex((line) => line.startsWith('{"table":"tenant"')) + 1;
  const [first, second] = JSON.parse(lines[at] ?? '') as unknown[];
  for (const row of ['[1,"a",Mara', '["Mara', `[${first},${JSON.stringify(second)},20260131.5]`]) {
    const path = join(folder, `line-${++count}.backup`);
    const text = [...lines.slice(0, at), row, ...lines.slice(at + 1)].map((line) => `${line}\n`).join('');
    writeFileSync(path, zstdCompressSync(text));
    const { restored } = await restore(path, 'SQLite');
    await assert.rejects(restored, (error: Error) => {
      assert.match(
        error.message,
        /damaged or truncated \(it contains a line that cannot occur in a backup\)/,
      );
      assert.doesNotMatch(inspect(error), /Mar|20260131/);
      return true;
    });
  }
});

test('a line of more values than a row has is refused before it is parsed, which would take gigabytes', async () => {
  const at = lines.findIndex((line) => line.startsWith('{"table":"tenant"')) + 1;
  for (const row of [`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, `[${'"\\\\",'.repeat(300_000)}1]`]) {
    const path = join(folder, `wide-${++count}.backup`);
    const text = [...lines.slice(0, at), row, ...lines.slice(at + 1)].map((line) => `${line}\n`).join('');
    writeFileSync(path, zstdCompressSync(text));
    const { restored } = await restore(path, 'SQLite');
    await assert.rejects(
      restored,
      /damaged or truncated \(it contains a line that cannot occur in a backup\)/,
    );
  }
});

test('a header without what a header has, or with a table that no backup has, is refused by name', async () => {
  for (const change of [
    { table_names: undefined },
    { table_names: 'user' },
    { table_names: [...headerOf(lines).table_names, 'kysely_migration'] },
    { table_names: ['toString'] },
    { migrations: undefined },
    { last_user_id: 'x' },
    { last_user_id: undefined },
    { last_user_id: '9223372036854775807' },
    { at: '2099-01-01\nFAKE LINE' },
    { at: 'soon' },
    { release: '0.1.0\nFAKE LINE' },
    { version: '2' },
  ]) {
    for (const engine of ['SQLite', 'PostgreSQL'] as const) {
      const { data, restored } = await restore(write(withHeader(change)), engine);
      await assert.rejects(
        restored,
        { name: 'BackupFileError', message: /damaged or truncated \(/ },
        JSON.stringify(change),
      );
      assert.equal(existsSync(data), false);
    }
  }
});

test('a clock that is behind the backup lets no write of its last moment in again', async (t) => {
  const backupSeconds = Math.floor(Date.parse(headerOf(lines).at) / 1000);
  const now = Date.now;
  t.mock.method(Date, 'now', () => now() - 600_000);
  const { finish } = await (await restore(write(lines), 'SQLite')).restored;
  assert.ok(finish.refusedThroughSeconds >= backupSeconds + 60, `${finish.refusedThroughSeconds}`);
});

test('a backup that a clock far ahead made does not keep writes out until then', async () => {
  const at = new Date(Date.now() + 48 * 3_600_000).toISOString();
  const { finish } = await (await restore(write(withHeader({ at })), 'SQLite')).restored;
  assert.ok(finish.refusedThroughSeconds < Date.now() / 1000 + 3_600, `${finish.refusedThroughSeconds}`);
});
