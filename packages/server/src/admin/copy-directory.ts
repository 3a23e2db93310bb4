import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { databaseUrl } from '../config.ts';
import type { CopySession } from '../database/copy-session.ts';
import type { Actor } from '../database/database.ts';
import { migrations } from '../database/migrations/migrations.ts';
import {
  copyBookkeeping,
  copyTables,
  holdsDirectory,
  refreshAllStatistics,
  summarizeBookkeeping,
  summarizeTables,
} from '../database/queries/imports/copy-tables.ts';
import type { TableSummary } from '../database/queries/imports/table-summarizer.ts';
import { recordUnsignedChangeForAll } from '../database/queries/record-unsigned-change.ts';
import { createSqliteTarget, openSqliteSource, openSqliteTarget } from '../database/sqlite/copy-session.ts';
import { isDamage } from '../database/sqlite/errors/sqlite-error.ts';
import { saidOfFullDisk, toFileError } from '../database/sqlite/files/database-file-error.ts';
import { databaseFile } from '../database/sqlite/open.ts';
import { causesOf } from '../errors/causes-of.ts';
import type { Notice } from '../logging/notice.ts';
import { AdminError } from './admin-error.ts';
import { commitTarget, describeStaleStatistics, tryLastStep } from './backup/end-filling.ts';
import { fillFolder } from './backup/fill-folder.ts';
import { adviseOnOwner } from './backup/folder-owner.ts';
import { requireKeyOfSource } from './backup/require-right-key.ts';
import { requireStoppedSource, requireStoppedTarget } from './backup/require-stopped-servers.ts';
import { holdsDatabase, requireVerified } from './open-directory.ts';

export interface CopyReport {
  readonly from: string;
  readonly to: string;
  /** The tables read from the source. The target, read back before the copy was audited there, was identical. */
  readonly tables: readonly TableSummary[];
  /** What could not be done after the copy was complete, and what to do about it. */
  readonly warnings: readonly string[];
  /** The command that lets the server use the files of a new folder; absent if none is needed. */
  readonly ownerCommand?: string;
}

type OnRows = (done: number, total: number) => void;

export interface CopyOptions {
  /** True accepts databases on other machines without verified TLS. */
  readonly databaseInsecure?: boolean;
  /** Longest time to open a connection to PostgreSQL, in milliseconds. */
  readonly databaseConnectTimeoutMs?: number;
  /** True copies although servers run on the source; the copy then lacks what they write after it has begun. */
  readonly allowRunning?: boolean;
  /** Receives messages for the operator. */
  readonly notice?: Notice;
  /** Who copies, for the audit rows of the copy. */
  readonly actor?: Actor;
  /** May hold the master key of the target's servers. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Copies a whole directory between databases of either engine: the state of the source at one moment, into a target
 * that has no directory. The target is read back and compared before anything is committed, and gets an audit row of
 * the copy for each tenant.
 *
 * @param from folder of an embedded database, or URL of a PostgreSQL database; `to` likewise
 * @param onRows called with the number of rows copied so far and their total
 * @throws {AdminError} when servers run on the source or the target, or the target already holds a directory or does not
 *   equal the source
 * @throws {MasterKeyError} when the target folder has a master key other than the source's
 */
export async function copyDirectory(
  from: string,
  to: string,
  onRows: OnRows,
  {
    databaseInsecure = false,
    databaseConnectTimeoutMs: connectTimeoutMs,
    allowRunning = false,
    notice,
    actor,
    environment = process.env,
  }: CopyOptions = {},
): Promise<CopyReport> {
  requireUsablePlace('--from', from);
  requireUsablePlace('--to', to);
  requireTwoPlaces(from, to);
  await requireVerified([from, to].filter(isUrl), databaseInsecure);
  const source = await openSource(from, { notice, connectTimeoutMs }).catch((error: unknown) => {
    throw nameSource(error, from);
  });
  try {
    if (!allowRunning) await requireStoppedSource(source);
    return await copyFrom(source, to, { onRows, actor, notice, environment, connectTimeoutMs });
  } catch (error) {
    // Damage is in the source, because the target was just written. A full disk is the target's, because the source is
    // only read.
    throw isDamageBelow(error) ? nameSource(error, from) : nameFullTarget(error, to);
  } finally {
    await source.close();
  }
}

interface Copying {
  readonly onRows: OnRows;
  readonly actor: Actor | undefined;
  readonly notice: CopyOptions['notice'];
  readonly connectTimeoutMs: number | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Leaves no tables behind if it fails, except those that were there before. */
async function copyFrom(source: CopySession, to: string, copying: Copying): Promise<CopyReport> {
  const fill = async (target: CopySession) => {
    try {
      await requireUnused(source, target, to, copying);
      return await copyBetween(source, target, copying);
    } finally {
      await target.close();
    }
  };
  if (isUrl(to))
    return fill(
      await (await postgres()).openPostgresTarget(to, { connectTimeoutMs: copying.connectTimeoutMs }),
    );
  const folder = resolve(to);
  // A server that was started before the copy has made an empty database.
  if (holdsDatabase({ data: folder })) return fill(await openSqliteTarget(folder, copying.notice));
  const work = { name: 'copy', verb: 'copy', what: 'the copied database', flags: '--to' };
  const report = await fillFolder(folder, work, async (draft) =>
    fill(await createSqliteTarget(draft, migrations)),
  );
  const ownerCommand = adviseOnOwner(folder);
  return { ...report, to: join(folder, databaseFile), ...(ownerCommand !== undefined && { ownerCommand }) };
}

const places = 'a data folder, or a PostgreSQL database by its URL, which begins with postgres://';

function requireUsablePlace(flag: string, location: string): void {
  if (location.trim() === '') throw new AdminError(`${flag} is empty; name ${places}`);
  // Such a URL would name a folder below the current one, after its scheme; and it may hold a password.
  if (!isUrl(location) && /^\s*[a-z][a-z\d+.-]*:\/\//i.test(location))
    throw new AdminError(`${flag} is a URL of another kind; name ${places}`);
  if (!isUrl(location)) return;
  try {
    databaseUrl(location);
  } catch (error) {
    throw new AdminError(`${flag} is not accepted; it must be ${(error as Error).message}`);
  }
}

/** @throws {AdminError} when both name the same database, whose rows a copy would remove and add again */
function requireTwoPlaces(from: string, to: string): void {
  const isSame = isUrl(from) || isUrl(to) ? from === to : isSameFolder(from, to);
  if (!isSame) return;
  throw new AdminError('--from and --to name the same database; name another one with --to');
}

function isSameFolder(a: string, b: string): boolean {
  const [one, other] = [a, b].map((folder) => statSync(resolve(folder), { throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** SQLite's own message neither names the file nor says what to do. */
function nameSource(error: unknown, from: string): unknown {
  return isUrl(from) ? error : toFileError(error, join(resolve(from), databaseFile));
}

function nameFullTarget(error: unknown, to: string): unknown {
  if (isUrl(to) || saidOfFullDisk(error) === undefined) return error;
  return toFileError(error, join(resolve(to), databaseFile));
}

/** Looks through the causes, because the query builder's connection wraps what SQLite throws. */
function isDamageBelow(error: unknown): boolean {
  return causesOf(error).some(isDamage);
}

async function openSource(
  location: string,
  { notice, connectTimeoutMs }: Pick<Copying, 'notice' | 'connectTimeoutMs'>,
): Promise<CopySession> {
  if (isUrl(location)) return (await postgres()).openPostgresSource(location, { connectTimeoutMs });
  const folder = resolve(location);
  // Throws if this user may not open the folder, which then is not known to lack a database.
  if (statSync(join(folder, databaseFile), { throwIfNoEntry: false }) === undefined)
    throw new AdminError(`there is no database in ${folder}; name its folder with --from`);
  return openSqliteSource(folder, notice);
}

/** Loads the driver for a copy only, not for every command. */
const postgres = () => import('../database/postgres/copy-session.ts');

/** The key comes last: nobody should replace it while a server runs with it. */
async function requireUnused(
  source: CopySession,
  target: CopySession,
  to: string,
  { environment }: Copying,
): Promise<void> {
  if (await holdsDirectory(target.session)) {
    throw new AdminError(`${target.location} already holds a directory; copy into an empty database`);
  }
  await requireStoppedTarget(target, { verb: 'copy', origin: 'source' });
  if (!isUrl(to)) await requireKeyOfSource(source, { folder: resolve(to), environment });
}

async function copyBetween(
  source: CopySession,
  target: CopySession,
  { onRows, actor }: Copying,
): Promise<CopyReport> {
  const tables = await copyTables(source.session, target.session, onRows);
  requireEqual(tables, await summarizeTables(target.session));
  await recordUnsignedChangeForAll(target.session, {
    nowMs: Date.now(),
    operation: 'copy',
    changes: { from: source.location },
    actor,
  });
  const records = await copyRecords(source, target);
  await commitTarget(target);
  const warnings = await tryLastStep(() => refreshAllStatistics(target.session), describeStaleStatistics);
  return { from: source.location, to: target.location, tables: [...tables, ...records], warnings };
}

/** Copies the bookkeeping. The embedded engine commits it first; the next attempt would replace it. */
function copyRecords(source: CopySession, target: CopySession): Promise<TableSummary[]> {
  return source.bookkeeping.read((from) =>
    target.bookkeeping.write(async (to) => {
      const tables = await copyBookkeeping(from, to);
      requireEqual(tables, await summarizeBookkeeping(to));
      return tables;
    }, 'durable'),
  );
}

function requireEqual(read: readonly TableSummary[], written: readonly TableSummary[]): void {
  for (const [index, { table, rows, checksum }] of read.entries()) {
    const copy = written[index];
    if (copy?.rows === rows && copy.checksum === checksum) continue;
    throw new AdminError(
      `the table ${table} was not copied correctly (${rows} rows read, ${copy?.rows ?? 0} written); nothing was kept`,
    );
  }
}

function isUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}
