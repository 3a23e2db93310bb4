import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CopySession } from '../copy-session.ts';
import { requireCurrentSchema } from '../migrations/migrate.ts';
import { connect } from './connection.ts';
import { databaseFile, openSqliteStore } from './open.ts';

/** Opens the database of a folder for reading it as it is at this moment. */
export async function openSqliteSource(folder: string): Promise<CopySession> {
  const path = join(folder, databaseFile);
  if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
  return open(path, 'begin');
}

/** Makes the database of a folder where there is none, and opens it for writing. */
export async function openSqliteTarget(folder: string): Promise<CopySession> {
  await (await openSqliteStore({ folder })).close();
  return open(join(folder, databaseFile), 'begin immediate');
}

async function open(path: string, begin: string): Promise<CopySession> {
  const { connection, session } = connect(path);
  await requireCurrentSchema(session);
  connection.exec(begin);
  return {
    session,
    place: path,
    commit: async () => connection.exec('commit'),
    close: async () => connection.close(),
  };
}
