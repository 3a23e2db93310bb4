import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { runSql } from '../packages/server/test/test-postgres.ts';
import type { Provisioned } from './provision-directory.ts';

type DirectoryLocation = Pick<Provisioned, 'data' | 'database'>;

type Row = Record<string, unknown>;

/** Reads from the database beside the server, as a backup or an operator would. Values replace each `?` of the text. */
export async function readRows(
  { data, database }: DirectoryLocation,
  text: string,
  ...values: readonly (string | bigint)[]
): Promise<Row[]> {
  if (database === undefined) return readFromSqlite(data, text, values);
  let count = 0;
  return runSql(
    database,
    text.replaceAll('?', () => `$${++count}`),
    values,
  );
}

function readFromSqlite(data: string, text: string, values: readonly SQLInputValue[]): Row[] {
  using database = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true, readBigInts: true });
  return database.prepare(text).all(...values);
}

/** Tables and columns that a refused request may change: they record times and calls, not content. */
const volatile = new Set([
  // Calls are counted, and failed ones kept, in the background; users, stores and bindings are counted once a day.
  'call_summary',
  'call_hour',
  'failed_call',
  'unkept_failure',
  'entry_count',
  // The last use of a secret.
  'secret_use',
  'accepted_write',
  'accepted_nonce',
  'key_holder',
  'application_secret.last_used_at',
]);

/** Returns a digest of each table's content, by table. */
export async function digestTables(location: DirectoryLocation): Promise<Record<string, string>> {
  const tables = (await readRows(location, listTables(location)))
    .map(({ name }) => String(name))
    .filter((name) => !volatile.has(name));
  const digests = tables.map(async (table) => [table, await digestTable(location, table)] as const);
  return Object.fromEntries(await Promise.all(digests));
}

function listTables({ database }: DirectoryLocation): string {
  return database === undefined
    ? "select name from sqlite_schema where type = 'table' order by name"
    : "select tablename as name from pg_tables where schemaname = 'public' order by tablename";
}

/** Leaves out the counter that a purge of old claims may raise at any time. */
function isOfADirectory({ name }: Row): boolean {
  return name !== 'purged_through';
}

async function digestTable(location: DirectoryLocation, table: string): Promise<string> {
  const all = await readRows(location, `select * from "${table}"`);
  const rows = all.filter(isOfADirectory).map((row) =>
    JSON.stringify(
      Object.entries(row).filter(([column]) => !volatile.has(`${table}.${column}`)),
      (_key, value) => (typeof value === 'bigint' ? String(value) : value),
    ),
  );
  return `${rows.length} rows, ${createHash('sha256').update(rows.sort().join('\n')).digest('hex')}`;
}

/** Signatures of the writes that were accepted, in hexadecimal. */
export async function readAcceptedWrites(location: DirectoryLocation): Promise<Set<string>> {
  const rows = await readRows(location, 'select signature from accepted_write');
  return new Set(rows.map(({ signature }) => Buffer.from(signature as Uint8Array).toString('hex')));
}

/** Counts the audit rows of an operation on a user. */
export async function countAuditEvents(
  location: DirectoryLocation,
  operation: string,
  userId: number,
): Promise<number> {
  const text = 'select count(*) as count from audit_event where operation = ? and user_id = ?';
  const [row] = await readRows(location, text, operation, BigInt(userId));
  return Number(row?.count);
}

/** Counts the audit rows of signed requests. */
export async function countSignedWrites(location: DirectoryLocation): Promise<number> {
  const [row] = await readRows(
    location,
    'select count(*) as count from audit_event where app_id is not null',
  );
  return Number(row?.count);
}

/** Returns what SQLite reports as wrong with the file and its references. */
export async function findDamage(location: DirectoryLocation): Promise<Row[]> {
  const integrity = await readRows(location, 'pragma integrity_check');
  const references = await readRows(location, 'pragma foreign_key_check');
  return [...integrity.filter((row) => row.integrity_check !== 'ok'), ...references];
}

/** Resolves once nobody else uses the database: PostgreSQL may still finish what a killed process has sent. */
export async function untilAlone(place: Provisioned): Promise<void> {
  if (place.database === undefined) return;
  const others = `select pid from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  while ((await readRows(place, others)).length > 0) await delay(20);
}
