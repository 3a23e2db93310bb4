import type { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { bookkeepingSteps } from '../../migrations/bookkeeping-steps.ts';
import { columnTypesOf } from '../../migrations/steps/column-types.ts';
import { connect, type SqliteConnection } from '../connections/connection.ts';
import { retryWhileBusy } from '../errors/retry-while-busy.ts';
import { createPrivately } from '../files/create-privately.ts';
import { FileIdentity } from '../files/file-identity.ts';
import { GroupCommit } from '../writes/group-commit.ts';
import { LocalWriter } from '../writes/writer.ts';

/** The open connections to a bookkeeping file. */
export interface BookkeepingConnections {
  readonly reader: SqliteConnection;
  /** Commits reach the disk at some time after they return. */
  readonly background: GroupCommit;
  /** Commits return once they are on disk. */
  readonly durable: GroupCommit;
  /** Returns the path of a file that was removed or replaced since it was opened. */
  changedFile(): string | undefined;
  /** Whether the file itself was removed or replaced; can also be asked once the connections are closed. */
  isReplaced(): boolean;
  close(): Promise<void>;
}

/** How many writes may wait. */
const waitingMax = 1_000;

/** How long a start waits for another process's start or write, in milliseconds. */
const startWaitMs = 5_000;

/** Opens a bookkeeping file, creates a missing one, and adds the tables that it lacks. */
export async function openBookkeepingConnections(
  path: string,
  lockWaitMs: number,
): Promise<BookkeepingConnections> {
  createPrivately(path);
  const opened: DatabaseSync[] = [];
  const open = (settings: string) => {
    const connected = connect(path);
    opened.push(connected.connection);
    connected.connection.exec(
      `pragma cache_size = -1024; pragma secure_delete = fast; pragma wal_autocheckpoint = 1000; ${settings}`,
    );
    return connected;
  };
  try {
    const background = open('pragma synchronous = normal');
    await addTables(background);
    const durable = open('pragma synchronous = full');
    const reader = open('pragma query_only = on');
    // The log and its index exist once a connection has read.
    reader.connection.prepare('select name from bookkeeping_migration').all();
    const files = new FileIdentity(path);
    const writers = [background, durable].map((connected) => {
      connected.connection.exec('pragma busy_timeout = 0');
      return commitsOf(connected, lockWaitMs, files);
    }) as [GroupCommit, GroupCommit];
    return {
      reader,
      background: writers[0],
      durable: writers[1],
      changedFile: () => files.changedFile(),
      isReplaced: () => files.isReplaced(),
      async close() {
        for (const writer of writers) await writer.close();
        for (const connection of opened) connection.close();
      },
    };
  } catch (error) {
    for (const connection of opened) connection.close();
    throw error;
  }
}

function commitsOf(connected: SqliteConnection, lockWaitMs: number, files: FileIdentity): GroupCommit {
  const health = {
    requireIntact() {
      const changed = files.changedFile();
      if (changed !== undefined) throw new Error(`${changed} was removed or replaced while the server runs`);
    },
    changedFile: () => files.changedFile(),
    noteCommit: () => {},
    noteLockTaken: () => {},
    noteLockMissed: () => false,
    writeFailed: false,
  };
  return new GroupCommit(new LocalWriter(connected), { waitingMax, lockWaitMs, health });
}

/**
 * Runs the steps that the file lacks, in one transaction, which ends with the connection if a step fails. A newer
 * release's file may have more, which does no harm.
 */
async function addTables({ connection, session: { db } }: SqliteConnection): Promise<void> {
  await retryWhileBusy(() => connection.exec('pragma journal_mode = wal'), startWaitMs);
  await retryWhileBusy(() => connection.exec('begin immediate'), startWaitMs);
  connection.exec('create table if not exists bookkeeping_migration (name text primary key) strict');
  const { rows } = await sql<{ name: string }>`select name from bookkeeping_migration`.execute(db);
  const present = new Set(rows.map(({ name }) => name));
  const lacking = Object.entries(bookkeepingSteps).filter(([name]) => !present.has(name));
  for (const [name, create] of lacking) {
    await create(db as unknown as Kysely<unknown>, columnTypesOf('sqlite'));
    await sql`insert into bookkeeping_migration (name) values (${name})`.execute(db);
  }
  connection.exec('commit');
}
