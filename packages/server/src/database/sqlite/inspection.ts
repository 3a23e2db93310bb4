import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { type Faults, faultsCountedMax, type Inspection } from '../database.ts';
import { inspectTables } from '../queries/inspection/inspect-tables.ts';
import { queryBuilderSession } from '../queries/query-builder-session.ts';
import type { Schema } from '../queries/schema.ts';
import { sqliteEngine } from './engine.ts';
import { NodeSqliteDatabase } from './node-sqlite-database.ts';
import { databaseFile } from './open.ts';

const lockWaitMs = 5_000;

/** Opens a folder's database for an inspection, for reading only. */
export function openSqliteInspection(folder: string): Inspection {
  const location = join(folder, databaseFile);
  const connection = new DatabaseSync(location, { readOnly: true, readBigInts: true, timeout: lockWaitMs });
  const database = new NodeSqliteDatabase(connection, () => {});
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  return {
    ...inspectTables(queryBuilderSession(db, sqliteEngine), async () => Date.now()),
    engine: 'sqlite',
    location,
    databaseTimeMs: async () => undefined,
    engineSettings: async () => [
      { name: 'journal_mode', value: readPragma(connection, 'journal_mode'), wanted: 'wal' },
    ],
    connectionsMax: async () => undefined,
    findDamage: async () => findDamage(connection),
    findBrokenForeignKeys: async () => findBrokenForeignKeys(connection),
    close: async () => connection.close(),
  };
}

function readPragma(connection: DatabaseSync, name: string): string {
  return String(connection.prepare(`pragma ${name}`).get()?.[name]);
}

function findDamage(connection: DatabaseSync): Faults {
  const rows = connection.prepare(`pragma integrity_check(${faultsCountedMax})`).all();
  // The check of a damaged page may itself report several lines in one row.
  const faults = rows.map((row) => String(row.integrity_check)).filter((text) => text !== 'ok');
  return { count: faults.length, examples: faults.slice(0, 5) };
}

function findBrokenForeignKeys(connection: DatabaseSync): Faults {
  const examples: string[] = [];
  let count = 0;
  for (const { table, parent } of connection.prepare('pragma foreign_key_check').iterate()) {
    count += 1;
    if (examples.length < 5) examples.push(`a row of ${table} refers to a missing row of ${parent}`);
    if (count === faultsCountedMax) break;
  }
  return { count, examples };
}
