import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findMasterKey, keyFileInUse } from '../applications/master-key/find-master-key.ts';
import { keyFileExposure } from '../applications/master-key/key-file-exposure.ts';
import { masterKeyVariable } from '../applications/master-key/key-places.ts';
import type { SecretVault } from '../applications/secret-vault.ts';
import type { Actor, Database } from '../database/database.ts';
import type { OnMigrated } from '../database/migrations/migrate.ts';
import type { PrimaryHistory } from '../database/postgres/connections/primary-history.ts';
import { toFileError } from '../database/sqlite/files/database-file-error.ts';
import { databaseFile, openSqliteDatabase } from '../database/sqlite/open.ts';
import { BusyError } from '../errors/busy-error.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Notice } from '../logging/notice.ts';
import { openVault } from './open-vault.ts';

/** Name of the tenant that commands use by default. */
export const defaultTenantName = 'default';

/** An open database and the vault of its secrets. */
export interface OpenDirectory {
  readonly database: Database;
  readonly vault: SecretVault;
  /** Who works on it, for the audit rows of what they change. */
  readonly actor?: Actor | undefined;
}

/** Which database to open, and how to reach it. */
export interface DatabaseOptions {
  /** URL of a PostgreSQL database; the embedded one in the data folder when left out or empty. */
  readonly database?: string;
  /** URL of a replica for lists. */
  readonly databaseReplica?: string;
  readonly databasePoolSize?: number;
  readonly databaseConnectTimeoutMs?: number;
  readonly databaseStatementTimeoutMs?: number;
  /** How long to wait for an unreachable PostgreSQL database; 0 when left out. */
  readonly waitForDatabaseSeconds?: number;
  /** The knowledge of other processes about the primary. */
  readonly primaryHistory?: PrimaryHistory;
  /** Receives what an operator should know about the database. */
  readonly notice?: Notice;
  /** True accepts connections to another machine without verified TLS. */
  readonly databaseInsecure?: boolean;
  /** False leaves the tables as they are; a server that finds older ones refuses to start. */
  readonly migrate?: boolean;
  /** False makes no tables in a database without any. */
  readonly create?: boolean;
  readonly onMigrated?: OnMigrated;
}

export interface OpenDirectoryOptions extends DatabaseOptions {
  /** Folder of the embedded database and of the key file. */
  readonly data: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Who opens it, for the audit rows of what they change. */
  readonly actor?: Actor | undefined;
}

/**
 * Opens the database for a server or an operator's command; both may have it open at once.
 *
 * @throws {MasterKeyError} when the database was written under a different or missing master key, or any user of the
 *   machine may read the key file
 * @throws {MissingDatabaseError} when there is a key file or a database's log, but no database beside it
 */
export async function openDirectory(options: OpenDirectoryOptions): Promise<OpenDirectory> {
  return namingFile(options, () => open(options));
}

/** Opens the database, and closes it after the work. */
export async function useDirectory<T>(
  options: OpenDirectoryOptions,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const directory = await openDirectory(options);
  try {
    return await namingFile(options, () => work(directory));
  } finally {
    await directory.database.close();
  }
}

/** Names the file of the embedded database, and what to do, when its disk is full or fails during the work. */
async function namingFile<T>(
  { data, database }: Pick<OpenDirectoryOptions, 'data' | 'database'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (database || !(error instanceof BusyError)) throw error;
    throw toFileError(error, join(resolve(data), databaseFile));
  }
}

async function open(options: OpenDirectoryOptions): Promise<OpenDirectory> {
  const folder = resolve(options.data);
  const { environment = process.env, actor } = options;
  // Refuse a damaged key before a database is made.
  findMasterKey(folder, environment);
  const keyFile = keyFileInUse(folder, environment);
  if (!holdsDatabase(options)) refuseLostDatabase(folder, keyFile);
  const exposure = keyFile && keyFileExposure(keyFile);
  if (exposure) options.notice?.({ file: keyFile }, exposure);
  const database = await openDatabase(folder, options);
  try {
    const vault = await openVault(database, folder, environment);
    await ensureDefaultTenant(database, actor);
    return { database, vault, actor };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens an existing database without its keys, and leaves its tables as they are.
 *
 * @throws {MissingDatabaseError}
 * @throws {SchemaError} when the tables do not fit this release
 */
export async function openDatabaseAlone(options: OpenDirectoryOptions): Promise<Database> {
  requireDatabase(options);
  return openDatabase(resolve(options.data), { ...options, migrate: false });
}

/** Returns whether there is a database in the folder. A database named by a URL is assumed to exist. */
export function holdsDatabase({ data, database }: Pick<OpenDirectoryOptions, 'data' | 'database'>): boolean {
  if (database !== undefined && database !== '') return true;
  // A first start that is killed at once leaves an empty file.
  return bytesOf(join(resolve(data), databaseFile)) > 0;
}

/** There is no database where a command needs one; the message names the folder. */
export class MissingDatabaseError extends OperatorError {
  override readonly name = 'MissingDatabaseError';
}

/**
 * Refuses a folder without a database. Commands that make none would work on an empty one in the wrong folder.
 *
 * @throws {MissingDatabaseError}
 * @throws {DatabaseFileError} when this user may not look into the folder
 */
export function requireDatabase(options: Pick<OpenDirectoryOptions, 'data' | 'database'>): void {
  if (holdsDatabase(options)) return;
  const folder = resolve(options.data);
  refuseClosedFolder(folder);
  throw new MissingDatabaseError(
    `there is no database in ${folder}${whatElseIsThere(folder)}; name its folder with --data or FIELDROSTER_DATA`,
  );
}

/** A link to a disk that is not mounted looks like a folder whose database was lost. */
function whatElseIsThere(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) return ', which is a file';
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return '';
  return existsSync(folder)
    ? ''
    : `, a link to ${readlinkSync(folder)}, which does not exist: mount its disk, or correct the link`;
}

function refuseClosedFolder(folder: string): void {
  const path = join(folder, databaseFile);
  try {
    statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw toFileError(error, path);
  }
}

async function openDatabase(folder: string, options: DatabaseOptions): Promise<Database> {
  const { database, databaseReplica, databaseInsecure = false, migrate = true, create = true } = options;
  const { primaryHistory, notice, onMigrated } = options;
  if (database === undefined || database === '') {
    return openSqliteDatabase({
      folder,
      migrate,
      create,
      ...(notice && { notice }),
      ...(onMigrated && { onMigrated }),
    });
  }
  // Loaded on demand, so that the embedded database does not wait for PostgreSQL's driver.
  const { openPostgresDatabase } = await import('../database/postgres/open.ts');
  await requireVerified([database, databaseReplica || database], databaseInsecure);
  return openPostgresDatabase({
    url: database,
    migrate,
    create,
    ...(notice && { notice }),
    ...(onMigrated && { onMigrated }),
    ...(databaseReplica && { replicaUrl: databaseReplica }),
    ...(options.databasePoolSize && { poolSize: options.databasePoolSize }),
    ...(options.databaseConnectTimeoutMs && { connectTimeoutMs: options.databaseConnectTimeoutMs }),
    ...(options.databaseStatementTimeoutMs && { statementTimeoutMs: options.databaseStatementTimeoutMs }),
    ...(options.waitForDatabaseSeconds && { waitSeconds: options.waitForDatabaseSeconds }),
    ...(primaryHistory && { history: primaryHistory }),
  });
}

/**
 * Refuses databases on other machines without verified TLS, unless the operator accepts them.
 *
 * @throws {UnverifiedConnectionError}
 */
export async function requireVerified(urls: readonly string[], databaseInsecure: boolean): Promise<void> {
  // Work on folders alone must not load PostgreSQL's driver.
  if (databaseInsecure || urls.length === 0) return;
  const { requireVerifiedConnections } = await import(
    '../database/postgres/connections/require-verified-connections.ts'
  );
  for (const url of urls) requireVerifiedConnections(url);
}

async function ensureDefaultTenant({ tenants }: Database, actor: Actor | undefined): Promise<void> {
  if ((await tenants.findTenant(defaultTenantName)) === undefined)
    await tenants.insertTenant(defaultTenantName, { actor });
}

/**
 * Refuses a folder whose database seems lost: a server that starts empty would answer that every user is unknown. The
 * key file is made after the database, so a first start that is killed leaves no key file alone. SQLite would delete
 * the log.
 */
function refuseLostDatabase(folder: string, keyFile: string | undefined): void {
  const log = join(folder, `${databaseFile}-wal`);
  const rest = keyFile ?? (bytesOf(log) > 0 ? log : undefined);
  if (rest === undefined) return;
  const keepKey = rest === keyFile ? ` or give the key in ${masterKeyVariable}` : '';
  throw new MissingDatabaseError(
    `there is ${rest} but no database ${databaseFile} beside it, so the database may have been lost; restore it from a backup, or, ` +
      `to begin with an empty directory, move that file elsewhere${keepKey}; if the directory is in PostgreSQL, name it ` +
      'with --database or FIELDROSTER_DATABASE_URL',
  );
}

function bytesOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    // Missing or inaccessible; making the folder reports why.
    return 0;
  }
}

/** Returns whether an error means that PostgreSQL is away or slow for a while, so that a command can wait for it. */
export async function isOutage(error: unknown): Promise<boolean> {
  const waiting = await import('../database/postgres/connections/wait-for-database.ts');
  return error instanceof BusyError && waiting.isOutage(error);
}
