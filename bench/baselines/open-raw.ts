import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Opens a seeded directory as the server does, as durable and with foreign keys checked. */
export function openRaw(folder: string): DatabaseSync {
  const db = new DatabaseSync(join(folder, 'fieldroster.db'), { enableForeignKeyConstraints: true });
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32768; pragma wal_autocheckpoint = 8000',
  );
  return db;
}

/** Runs the work between begin and commit. */
export function transaction(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate');
  work();
  db.exec('commit');
}
