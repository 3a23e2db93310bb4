import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { causesOf } from '../../../errors/causes-of.ts';
import { type Faults, faultsCountedMax, type Inspection, type Orphans } from '../../database.ts';
import { faultsOf, noFaults } from '../../queries/inspection/faults.ts';
import { inspectTables } from '../../queries/inspection/inspect-tables.ts';
import { findLinksWithoutTenant } from '../../queries/inspection/links-without-tenant.ts';
import { findOrphans } from '../../queries/inspection/orphans.ts';
import { bookkeepingReferences, directoryReferences } from '../../queries/inspection/references.ts';
import { queryBuilderSession } from '../../queries/query-builder-session.ts';
import type { Schema } from '../../queries/schema.ts';
import type { Session } from '../../queries/session.ts';
import { bookkeepingFile } from '../bookkeeping/bookkeeping-file.ts';
import { NodeSqliteDatabase } from '../connections/node-sqlite-database.ts';
import { keepTemporaryFilesBeside } from '../connections/temporary-folder.ts';
import { sqliteEngine } from '../engine.ts';
import { faultsInReport, legible } from '../errors/damage-report.ts';
import { isBusy } from '../errors/retry-while-busy.ts';
import { isDamage, primaryCodeOf, resultCodes } from '../errors/sqlite-error.ts';
import { databaseFile } from '../open.ts';
import { findBookkeepingFault } from './database-faults.ts';
import { findLockHolders } from './lock-holders.ts';
import { findMissingParts, findSearchDifferences, findSearchFaults } from './schema-parts.ts';

const lockWaitMs = 5_000;

/** Opens a folder's database for an inspection, for reading only. */
export function openSqliteInspection(folder: string): Inspection {
  const location = join(folder, databaseFile);
  const connection = new DatabaseSync(location, { readOnly: true, readBigInts: true, timeout: lockWaitMs });
  requireOpened(connection);
  keepTemporaryFilesBeside(connection, location);
  const database = new NodeSqliteDatabase(connection, () => {});
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  const session = queryBuilderSession(db, sqliteEngine);
  return {
    ...inspectTables(session, async () => Date.now()),
    engine: 'sqlite',
    location,
    databaseTimeMs: async () => undefined,
    clockDifferenceMs: async () => undefined,
    newestFailedCall: async () => undefined,
    findLockHolders: (longMs) => findLockHolders(location, longMs),
    engineSettings: async () => {
      const row = connection.prepare('pragma journal_mode').get();
      return [{ name: 'journal_mode', value: String(row?.journal_mode), wanted: 'wal' }];
    },
    connectionsMax: async () => undefined,
    findDamage: async () => findDamage(connection),
    findBookkeepingFault: async (deep) => findBookkeepingFault(folder, deep),
    findBrokenForeignKeys: async () => findBrokenForeignKeys(connection),
    findOrphans: async () => [
      ...(await findOrphans(session, directoryReferences)),
      ...(await findLinksWithoutTenant(session)),
      ...(await findOrphansOfBookkeeping(connection, session, join(folder, bookkeepingFile))),
    ],
    findMissingParts: () => findMissingParts(connection),
    findSearchFaults: () => findSearchFaults(connection),
    findSearchDifferences: async () => findSearchDifferences(connection),
    // SQLite keeps the order of changes in an index, not by triggers.
    findSilentTriggers: async () => noFaults,
    findClosedTables: async () => noFaults,
    findChangeOrderFaults: async () => findChangeOrderFaults(connection),
    damageIn,
    isLockedOut,
    close: async () => connection.close(),
  };
}

/**
 * SQLite opens the files with the first statement.
 * Damage and locks are left to the checks, each of which may find more.
 *
 * @throws SQLite's error when this user or a full disk keeps every statement from being run
 */
function requireOpened(connection: DatabaseSync): void {
  try {
    connection.prepare('select count(*) from sqlite_schema').get();
  } catch (error) {
    if (damageIn(error) !== undefined || isLockedOut(error)) return;
    connection.close();
    throw error;
  }
}

/** In WAL mode reads wait for nobody, but other tools may have switched to another one. */
function isLockedOut(error: unknown): boolean {
  return causesOf(error).some(isBusy);
}

function findDamage(connection: DatabaseSync): Faults {
  const faults: string[] = [];
  try {
    for (const row of connection.prepare(`pragma integrity_check(${faultsCountedMax})`).iterate())
      faults.push(...faultsInReport(String(row.integrity_check)));
  } catch (error) {
    // Damage can end the check early. The faults found before that are reported.
    if (faults.length === 0 || !isDamage(error)) throw error;
  }
  return faultsOf(faults.filter((text) => text !== 'ok'));
}

/**
 * Compares the index that keeps the order of changes with the users.
 *
 * @throws the first other fault of the table, which keeps the two from being compared
 */
function findChangeOrderFaults(connection: DatabaseSync): Faults {
  const differences: string[] = [];
  for (const { integrity_check: text } of connection.prepare('pragma integrity_check("user")').iterate()) {
    const said = faultsInReport(String(text)).join('; ');
    if (said.includes(changeIndex)) differences.push(said);
    else if (said !== 'ok' && differences.length === 0)
      throw Object.assign(new Error(said), { errcode: resultCodes.corrupt });
  }
  return faultsOf(differences);
}

/** The index of the order of changes. */
const changeIndex = 'user_by_change';

/**
 * Attaches the second file, so that one statement sees both.
 * A missing or damaged one has no findings, because the server replaces it; one of an earlier release may lack tables.
 */
async function findOrphansOfBookkeeping(
  connection: DatabaseSync,
  session: Session,
  file: string,
): Promise<readonly Orphans[]> {
  if (!existsSync(file)) return [];
  try {
    connection.prepare('attach database ? as bookkeeping').run(file);
  } catch (error) {
    if (damageIn(error) === undefined) throw error;
    return [];
  }
  try {
    const tables = connection.prepare('select name from bookkeeping.sqlite_schema').all();
    const present = new Set(tables.map(({ name }) => name));
    return await findOrphans(
      session,
      bookkeepingReferences.filter(({ table }) => present.has(table)),
    );
  } catch (error) {
    if (damageIn(error) === undefined) throw error;
    return [];
  } finally {
    connection.exec('detach database bookkeeping');
  }
}

/** Looks through the causes, because the query builder's connection wraps what SQLite throws. */
function damageIn(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if (isDamage(cause)) return `is damaged (${legible(cause.message)})`;
    if (primaryCodeOf(cause) === resultCodes.ioError)
      return `cannot be read, because its disk is failing (${cause.message})`;
  }
  return undefined;
}

function findBrokenForeignKeys(connection: DatabaseSync): Faults {
  const broken: string[] = [];
  for (const { table, parent } of connection.prepare('pragma foreign_key_check').iterate()) {
    broken.push(`a row of ${table} refers to a missing row of ${parent}`);
    if (broken.length === faultsCountedMax) break;
  }
  return faultsOf(broken);
}
