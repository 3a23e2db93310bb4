import { mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BusyError } from '../../../errors/busy-error.ts';
import { causesOf } from '../../../errors/causes-of.ts';
import type { Notice } from '../../../logging/notice.ts';
import { OutcomeUnknownError } from '../../database.ts';
import type { BookkeepingTables } from '../../queries/bookkeeping/bookkeeping-tables.ts';
import type { Session } from '../../queries/session.ts';
import { isDamage } from '../errors/sqlite-error.ts';
import { cureOfFile, isOfOpenFiles, toFileError } from '../files/database-file-error.ts';
import { type BookkeepingConnections, openBookkeepingConnections } from './bookkeeping-connections.ts';
import { nameAside, removalOrder, removeOldestAside } from './damaged-files.ts';

/** File name of the bookkeeping within the data folder. */
export const bookkeepingFile = 'fieldroster-bookkeeping.db';

export interface BookkeepingFileOptions {
  readonly folder: string;
  /** How long a write waits for another process's write, in milliseconds. */
  readonly lockWaitMs: number;
  /** Receives messages for the operator. */
  readonly notice?: Notice | undefined;
}

/**
 * The embedded database's second file. No promise depends on it.
 * A missing or damaged one is therefore replaced with a new one, even while the server runs, and never stops service.
 */
export class BookkeepingFile implements BookkeepingTables {
  readonly #options: BookkeepingFileOptions;
  #path: string;
  #opened: Promise<BookkeepingConnections> | undefined;
  readonly #replaced = new WeakSet<BookkeepingConnections>();
  /** Folder for the file when the data folder cannot hold it. */
  #temporaryFolder: string | undefined;
  #closed = false;

  constructor(options: BookkeepingFileOptions) {
    this.#options = options;
    this.#path = join(options.folder, bookkeepingFile);
  }

  /**
   * Opens the file, or makes a new one.
   *
   * @throws {DatabaseFileError} when this process may open no more files; never because of the file's state
   */
  async open(): Promise<void> {
    try {
      await this.#connections();
    } catch (error) {
      this.#removeTemporaryFolder();
      throw error;
    }
  }

  read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#run(({ reader }) => work(reader.session));
  }

  write<T>(work: (session: Session) => Promise<T>, durability: 'durable' | 'background'): Promise<T> {
    return this.#run((connections) => connections[durability].submit(work));
  }

  /** Accepts no more work, and does not wait for reads. */
  async close(): Promise<void> {
    this.#closed = true;
    try {
      const connections = await this.#opened;
      await connections?.close();
    } finally {
      this.#removeTemporaryFolder();
    }
  }

  /** Runs work, and once more on a new file if the present one is gone or damaged. */
  async #run<T>(work: (connections: BookkeepingConnections) => Promise<T>): Promise<T> {
    const connections = await this.#connections();
    try {
      return await work(connections);
    } catch (error) {
      if (error instanceof OutcomeUnknownError || !this.#mustReplace(connections, error)) throw error;
      this.#requireOpen();
      return work(await this.#replace(connections, error));
    }
  }

  async #connections(): Promise<BookkeepingConnections> {
    this.#requireOpen();
    const connections = await (this.#opened ?? this.#keepUnlessFailed(this.#openOrReplace()));
    if (connections.changedFile() === undefined) return connections;
    return this.#replace(connections, new Error('the file was removed or replaced'));
  }

  /**
   * Refuses work after the close, which removes the log. Work would take that for a removed file, and open a new one that
   * nobody closes.
   */
  #requireOpen(): void {
    if (this.#closed) throw new BusyError('the database is being closed');
  }

  #mustReplace(connections: BookkeepingConnections, error: unknown): boolean {
    return connections.changedFile() !== undefined || isDamaged(error);
  }

  /** If several callers find the same fault, only the first one replaces the file. */
  #replace(former: BookkeepingConnections, error: unknown): Promise<BookkeepingConnections> {
    if (!this.#replaced.has(former)) {
      this.#replaced.add(former);
      this.#keepUnlessFailed(this.#closeAndReplace(former, error));
    }
    // Do not check the new file again: one that always seems replaced would be replaced forever.
    return this.#opened ?? this.#connections();
  }

  /** Uses these connections from now on. If they cannot be opened, the next call tries again. */
  #keepUnlessFailed(opening: Promise<BookkeepingConnections>): Promise<BookkeepingConnections> {
    this.#opened = opening;
    opening.catch(() => {
      this.#opened = undefined;
    });
    return opening;
  }

  async #closeAndReplace(former: BookkeepingConnections, error: unknown): Promise<BookkeepingConnections> {
    await former.close().catch(() => {});
    // Another process may have replaced the damaged file already.
    if (isDamaged(error) && !former.isReplaced()) this.#moveAside(error);
    return this.#openOrReplace();
  }

  async #openOrReplace(): Promise<BookkeepingConnections> {
    const { lockWaitMs } = this.#options;
    try {
      return await openBookkeepingConnections(this.#path, lockWaitMs);
    } catch (error) {
      if (isDamaged(error)) this.#moveAside(error);
      else this.#useTemporaryFile(error);
      return openBookkeepingConnections(this.#path, lockWaitMs).catch((second: unknown) => {
        this.#useTemporaryFile(second);
        return openBookkeepingConnections(this.#path, lockWaitMs);
      });
    }
  }

  #moveAside(error: unknown): void {
    const aside = nameAside(this.#path, new Date());
    try {
      for (const ending of removalOrder) moveIfPresent(this.#path + ending, aside + ending);
      this.#options.notice?.(
        { file: this.#path, moved_to: aside, cause: String(error) },
        'the bookkeeping file is damaged; it was moved aside, and a new one was started: summaries of calls, failed calls and last uses before now are in the file moved aside',
      );
    } catch (cause) {
      this.#useTemporaryFile(cause);
      return;
    }
    removeOldestAside(this.#path);
  }

  #useTemporaryFile(error: unknown): void {
    // A temporary file would take as many open files.
    if (isOfOpenFiles(error, dirname(this.#path))) throw toFileError(error, this.#path);
    const folder = mkdtempSync(join(tmpdir(), 'fieldroster-bookkeeping-'));
    this.#options.notice?.(
      { file: this.#path, cause: String(error) },
      'the bookkeeping file cannot be opened; until the next start, calls, last uses and failed passwords are kept in a ' +
        `temporary file in ${folder} and then lost; ${cureOfFile(error, this.#path)}; then restart`,
    );
    this.#removeTemporaryFolder();
    this.#temporaryFolder = folder;
    this.#path = join(folder, bookkeepingFile);
  }

  #removeTemporaryFolder(): void {
    if (this.#temporaryFolder === undefined) return;
    try {
      rmSync(this.#temporaryFolder, { recursive: true, force: true });
    } catch {
      // A process that may open no more files cannot even list the folder. It only takes space.
    }
  }
}

function moveIfPresent(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}

/** Returns whether an error, or its cause, says that the content is not what SQLite wrote. */
function isDamaged(error: unknown): boolean {
  return causesOf(error).some(isDamage);
}
