import type { DatabaseSync } from 'node:sqlite';
import { BusyError } from '../../errors/busy-error.ts';
import { OutcomeUnknownError } from '../database.ts';
import type { ImportSession } from '../queries/imports/importer.ts';
import { connect, type SqliteConnection } from './connections/connection.ts';
import { isBusy, retryWhileBusy } from './errors/retry-while-busy.ts';
import { mayBeInLog } from './errors/sqlite-error.ts';

const lockWaitMs = 60_000;

/** Shorter than the retry interval of a server's own writes, so that an import gets the lock on a busy server. */
const lockRetryMs = 2;

/** Opens a connection for one import; it stages rows in temporary tables and so blocks nobody. */
export function openImportSession(path: string, now: () => number): ImportSession {
  const opened = connect(path);
  opened.connection.exec('pragma busy_timeout = 0; pragma temp.cache_size = -32768');
  return {
    session: opened.session,
    now,
    transact: (work) => transact(opened, work),
    tryOut: (work) => tryOut(opened, work),
    close: async () => opened.connection.close(),
  };
}

async function transact<T>({ connection }: SqliteConnection, work: () => Promise<T>): Promise<T> {
  await retryWhileBusy(() => connection.exec('begin immediate'), lockWaitMs, lockRetryMs).catch(throwIfBusy);
  try {
    const result = await work();
    commit(connection);
    return result;
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback');
    throw error;
  }
}

/** @throws {OutcomeUnknownError} when a crash could still restore the transaction, because only its sync failed */
function commit(connection: DatabaseSync): void {
  try {
    connection.exec('commit');
  } catch (cause) {
    throw mayBeInLog(cause) ? new OutcomeUnknownError(false, { cause }) : cause;
  }
}

/** Writes only to temporary tables, so the transaction never locks the database. */
async function tryOut<T>({ connection }: SqliteConnection, work: () => Promise<T>): Promise<T> {
  connection.exec('begin');
  try {
    return await work();
  } finally {
    if (connection.isTransaction) connection.exec('rollback');
  }
}

function throwIfBusy(error: unknown): never {
  if (!isBusy(error)) throw error;
  throw new BusyError('another process keeps the database locked; try again', { cause: error });
}
