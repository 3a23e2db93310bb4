import type { CopySession } from '../../database/copy-session.ts';
import { type Migrations, migrations } from '../../database/migrations/migrations.ts';
import {
  emptyTables,
  insertPages,
  isBookkeeping,
  setGeneratedKeys,
  summarizeEach,
} from '../../database/queries/imports/copy-tables.ts';
import type { Row, Table } from '../../database/queries/imports/table-summarizer.ts';
import { BackupFileError, type BackupHeader, type BackupManifest } from './backup-format.ts';
import { type BackupPart, readBackup } from './read-backup.ts';

/** Opens the database to fill; `known` are the migrations that the backup's rows fit. */
export type OpenTarget = (header: BackupHeader, known: Migrations) => Promise<CopySession>;

export interface LoadedBackup {
  /** Holds every row of the backup, read back and compared, in a transaction that is not committed yet. */
  readonly target: CopySession;
  readonly manifest: BackupManifest;
}

/**
 * Reads a backup into a database, after a first reading that compares it with its manifest, so that a damaged file
 * never reaches the target. If anything fails, the target is closed, which rolls everything back.
 *
 * @throws {BackupFileError} when the file cannot be restored
 */
export async function loadBackup(file: string, openTarget: OpenTarget): Promise<LoadedBackup> {
  for await (const _part of readBackup(file));
  let target: CopySession | undefined;
  let manifest: BackupManifest | undefined;
  let putIndexesBack = async () => {};
  const parts = new PartReader(file);
  try {
    for (let part = await parts.peek(); part !== undefined; part = await parts.peek()) {
      if ('rows' in part) {
        if (target !== undefined) await insertInto(target, part.table, parts.takePages(part.table));
        continue;
      }
      parts.take();
      if ('manifest' in part) manifest = part.manifest;
      else {
        target = await openEmptied(openTarget, part.header);
        const { db, engine } = target.session;
        putIndexesBack = await engine.setIndexesAside(db, partition(part.header.table_names)[1]);
      }
    }
    if (target === undefined || manifest === undefined) throw new BackupFileError(`${file} is empty`);
    await putIndexesBack();
    await setGeneratedKeys(target.session, BigInt(manifest.last_user_id));
    await requireEqual(file, manifest, target);
    return { target, manifest };
  } catch (error) {
    await target?.close();
    throw error;
  } finally {
    await parts.close();
  }
}

/** Reads the parts of a backup one by one, or all parts with the rows of one table. */
class PartReader {
  readonly #parts: AsyncGenerator<BackupPart>;
  #next: BackupPart | undefined;

  constructor(file: string) {
    this.#parts = readBackup(file);
  }

  /** Returns the next part without taking it; `undefined` at the end. */
  async peek(): Promise<BackupPart | undefined> {
    this.#next ??= (await this.#parts.next()).value;
    return this.#next;
  }

  take(): void {
    this.#next = undefined;
  }

  async *takePages(table: Table): AsyncGenerator<readonly Row[]> {
    for (let part = await this.peek(); part !== undefined; part = await this.peek()) {
      if (!('rows' in part) || part.table !== table) return;
      this.take();
      yield part.rows;
    }
  }

  async close(): Promise<void> {
    await this.#parts.return(undefined);
  }
}

async function openEmptied(openTarget: OpenTarget, header: BackupHeader): Promise<CopySession> {
  const target = await openTarget(header, migrationsOf(header));
  const [records, directory] = partition(header.table_names);
  await emptyTables(target.session, directory);
  await target.bookkeeping.write((session) => emptyTables(session, records), 'durable');
  return target;
}

/** Returns the tables of the bookkeeping and those of the directory. */
function partition(names: readonly Table[]): readonly [readonly Table[], readonly Table[]] {
  return [names.filter((name) => isBookkeeping(name)), names.filter((name) => !isBookkeeping(name))];
}

function insertInto(target: CopySession, table: Table, pages: AsyncIterable<readonly Row[]>): Promise<void> {
  if (!isBookkeeping(table)) return insertPages(target.session, table, pages);
  return target.bookkeeping.write((session) => insertPages(session, table, pages), 'durable');
}

function migrationsOf({ migrations: names }: BackupHeader): Migrations {
  const known = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
  return Object.keys(known).length === Object.keys(migrations).length ? migrations : known;
}

async function requireEqual(file: string, manifest: BackupManifest, target: CopySession): Promise<void> {
  const [records, directory] = partition(manifest.table_names);
  const written = [
    ...(await summarizeEach(directory, target.session)),
    ...(await target.bookkeeping.read((session) => summarizeEach(records, session))),
  ];
  for (const expected of manifest.tables) {
    const found = written.find(({ table }) => table === expected.table);
    if (found?.checksum === expected.checksum && found.rows === expected.rows) continue;
    throw new BackupFileError(
      `the table ${expected.table} of ${file} was not restored correctly (${expected.rows} rows in the backup, ` +
        `${found?.rows ?? 0} read back); nothing was kept`,
    );
  }
}
