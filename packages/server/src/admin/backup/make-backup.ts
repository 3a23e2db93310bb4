import { existsSync, statSync } from 'node:fs';
import { link, rename } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { CopySession } from '../../database/copy-session.ts';
import type { Erasure } from '../../database/database.ts';
import { migrations } from '../../database/migrations/migrations.ts';
import { listErasures } from '../../database/queries/erasure/erase-users.ts';
import { copiedTables, isBookkeeping, readPages } from '../../database/queries/imports/copy-tables.ts';
import {
  type Table,
  TableSummarizer,
  type TableSummary,
} from '../../database/queries/imports/table-summarizer.ts';
import type { Session } from '../../database/queries/session.ts';
import { openSqliteSource } from '../../database/sqlite/copy-session.ts';
import { copySqliteSnapshot } from '../../database/sqlite/files/snapshot.ts';
import { syncFolder } from '../../machine/sync-folder.ts';
import { AdminError } from '../admin-error.ts';
import { requireDatabase, requireVerified } from '../open-directory.ts';
import { describeMissing } from './backup-folder.ts';
import {
  type BackupHeader,
  type BackupManifest,
  encodeRow,
  formatName,
  formatVersion,
} from './backup-format.ts';
import { writeCompressed } from './compressed-lines.ts';
import { type DraftFolder, draftEndingBytes, withDraftFolder } from './draft-folder.ts';
import { addToErasureFile, erasureFile, readErasureFile } from './erasure-file.ts';
import { verifyBackup } from './verify-backup.ts';

/** The database to back up. */
export interface BackupSource {
  /** Folder of the embedded database. */
  readonly data: string;
  /** URL of a PostgreSQL database; the embedded one when left out or empty. */
  readonly database?: string;
  readonly databaseInsecure?: boolean;
  /** Longest time to open a connection to PostgreSQL, in milliseconds. */
  readonly databaseConnectTimeoutMs?: number;
}

export interface BackupOptions {
  readonly release: string;
  /** Whether to read the backup back, into a temporary database, before it gets its name. */
  readonly verify: boolean;
}

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly manifest: BackupManifest;
  readonly verified: boolean;
  /** The list of erasures beside the file, which a restore applies; absent if there is none. */
  readonly erasureList?: string;
}

/** Tables that describe one installation or one moment, which every backup omits. */
export const tablesLeftOut: readonly Table[] = [
  'backup_state',
  'key_holder',
  'operator_link',
  'operator_session',
];

const tables = copiedTables.filter((table) => !tablesLeftOut.includes(table));

/**
 * Backs up a database, which servers may use in the meantime. The file appears under its name only when it is complete
 * and on disk.
 *
 * @throws {AdminError} when the file already exists, its folder does not, or the list of erasures there cannot be read
 */
export async function makeBackup(
  source: BackupSource,
  file: string,
  { release, verify }: BackupOptions,
): Promise<BackupReport> {
  const path = resolve(file);
  const folder = dirname(path);
  requireFreeName(path, folder);
  await requireReachable(source);
  const list = join(folder, erasureFile);
  return withDraftFolder(folder, { name: basename(path), what: 'the backup' }, async (draft) => {
    await readErasureFile(list);
    const draftFile = join(draft.held, 'backup');
    const { bytes, manifest, erasures } = await writeDraft(source, draft, draftFile, release);
    if (verify) await verifyBackup(join(draft.path, 'backup'));
    // Write the list before the backup gets its name: a restore of the backup without the list would forget these
    // erasures.
    await addToErasureFile(list, erasures);
    await giveFreeName(draftFile, path);
    syncFolder(folder);
    return { file: path, bytes, manifest, verified: verify, ...(existsSync(list) && { erasureList: list }) };
  });
}

function requireFreeName(path: string, folder: string): void {
  if (!existsSync(folder)) throw new AdminError(`${describeMissing(folder)}, or name another file`);
  requireNew(path);
  const bytes = Buffer.byteLength(basename(path));
  if (bytes > nameBytesMax) {
    throw new AdminError(
      `the name of the backup has ${bytes} bytes, and at most ${nameBytesMax} leave room for the name of its draft; choose a shorter one`,
    );
  }
}

/** Returns why a backup cannot get a name and what to do, or `undefined` if the name is free. */
export function nameTaken(path: string): string | undefined {
  // Unlike `statSync`, this fails for no path; later steps explain a folder that is closed.
  if (!existsSync(path)) return undefined;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? `${path} is a folder; name a new file in it`
    : `${path} already exists; name another file`;
}

function requireNew(path: string): void {
  const taken = nameTaken(path);
  if (taken !== undefined) throw new AdminError(taken);
}

/** Another backup may have got the name in the meantime, and a rename would replace it. */
async function giveFreeName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch {
    requireNew(path);
    // Some file systems have no hard links.
    await rename(draft, path);
  }
}

/** File systems allow names of 255 bytes. */
const nameBytesMax = 255 - draftEndingBytes;

async function requireReachable({ data, database, databaseInsecure = false }: BackupSource): Promise<void> {
  requireDatabase({ data, ...(database && { database }) });
  if (database) await requireVerified([database], databaseInsecure);
}

interface WrittenDraft {
  readonly bytes: number;
  readonly manifest: BackupManifest;
  readonly erasures: readonly Erasure[];
}

async function writeDraft(
  source: BackupSource,
  draft: DraftFolder,
  file: string,
  release: string,
): Promise<WrittenDraft> {
  const at = new Date().toISOString();
  const copy = await openSnapshot(source, draft);
  try {
    const { session } = copy;
    const header: BackupHeader = {
      format: formatName,
      version: formatVersion,
      release,
      migrations: Object.keys(migrations),
      engine: session.engine.name,
      at,
      last_user_id: String(await session.engine.lastUserId(session.db)),
      table_names: tables,
    };
    const summaries: TableSummary[] = [];
    const bytes = await copy.bookkeeping.read((records) =>
      writeCompressed(file, backupText({ session, records }, header, summaries)),
    );
    return { bytes, manifest: { ...header, tables: summaries }, erasures: await listErasures(session) };
  } finally {
    await copy.close();
  }
}

async function openSnapshot(
  { data, database, databaseConnectTimeoutMs }: BackupSource,
  draft: DraftFolder,
): Promise<CopySession> {
  if (database) {
    const { openPostgresSource } = await import('../../database/postgres/copy-session.ts');
    return openPostgresSource(database, { connectTimeoutMs: databaseConnectTimeoutMs });
  }
  await copySqliteSnapshot(resolve(data), draft.held);
  return openSqliteSource(draft.held);
}

/** @param summaries receives a summary of each table */
async function* backupText(
  { session, records }: { readonly session: Session; readonly records: Session },
  header: BackupHeader,
  summaries: TableSummary[],
): AsyncGenerator<string> {
  yield toLine({ header });
  for (const table of tables) {
    const summarizer = new TableSummarizer(table);
    let columns: readonly string[] = [];
    for await (const rows of readPages(isBookkeeping(table) ? records : session, table)) {
      summarizer.add(rows);
      const isFirst = columns.length === 0;
      if (isFirst) columns = Object.keys(rows[0] ?? {});
      const names = columns;
      yield (isFirst ? toLine({ table, columns }) : '') +
        rows.map((row) => `${encodeRow(row, names)}\n`).join('');
    }
    if (columns.length === 0) yield toLine({ table, columns });
    summaries.push(summarizer.summary());
  }
  yield toLine({ manifest: { ...header, tables: summaries } });
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
