import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Opens the embedded database beside the server, as a backup or a curious operator would, for reading only. */
function openDatabase(data: string): DatabaseSync {
  return new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true, readBigInts: true });
}

function readRows(data: string, sql: string, ...values: (string | bigint)[]): Record<string, unknown>[] {
  using database = openDatabase(data);
  return database.prepare(sql).all(...values) as Record<string, unknown>[];
}

/** Tables and columns that a refused request may touch: records of when, not of what. */
const volatile = new Set(['accepted_write', 'accepted_nonce', 'application_secret.last_used_at']);

/** A digest of every table's content, by table. */
export function digestTables(data: string): Record<string, string> {
  const tables = readRows(data, "select name from sqlite_schema where type = 'table' order by name")
    .map(({ name }) => String(name))
    .filter((name) => !volatile.has(name));
  return Object.fromEntries(tables.map((table) => [table, digestTable(data, table)]));
}

function digestTable(data: string, table: string): string {
  const rows = readRows(data, `select * from "${table}"`).map((row) =>
    JSON.stringify(
      Object.entries(row).filter(([column]) => !volatile.has(`${table}.${column}`)),
      (_key, value) => (typeof value === 'bigint' ? String(value) : value),
    ),
  );
  return `${rows.length} rows, ${createHash('sha256').update(rows.sort().join('\n')).digest('hex')}`;
}

/** Signatures of the writes that were accepted, in hexadecimal. */
export function readAcceptedWrites(data: string): Set<string> {
  const rows = readRows(data, 'select hex(signature) as signature from accepted_write');
  return new Set(rows.map(({ signature }) => String(signature)));
}

/** How many audit rows an operation has left on a user. */
export function countAuditEvents(data: string, operation: string, userId: number): number {
  const sql = 'select count(*) as count from audit_event where operation = ? and user_id = ?';
  return Number(readRows(data, sql, operation, BigInt(userId))[0]?.count);
}

/** What SQLite itself finds wrong with the file and its references. */
export function findDamage(data: string): Record<string, unknown>[] {
  const integrity = readRows(data, 'pragma integrity_check').filter((row) => row.integrity_check !== 'ok');
  return [...integrity, ...readRows(data, 'pragma foreign_key_check')];
}
