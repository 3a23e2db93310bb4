import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from './open.ts';

/** Returns what SQLite finds wrong with a folder's database: damaged pages, and references to missing rows. */
export function findSqliteFaults(folder: string): string[] {
  const connection = new DatabaseSync(join(folder, databaseFile), { readOnly: true });
  try {
    const integrity = connection.prepare('pragma integrity_check(20)').all();
    const references = connection.prepare('pragma foreign_key_check').all().slice(0, 20);
    return [
      ...integrity.map(({ integrity_check }) => String(integrity_check)).filter((text) => text !== 'ok'),
      ...references.map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`),
    ];
  } finally {
    connection.close();
  }
}
