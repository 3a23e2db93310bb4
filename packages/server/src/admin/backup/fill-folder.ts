import { existsSync, linkSync, lstatSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CopyUnderWayError } from '../../database/copy-session.ts';
import { bookkeepingFile } from '../../database/sqlite/bookkeeping/bookkeeping-file.ts';
import { emptyLog } from '../../database/sqlite/files/empty-log.ts';
import { databaseFile } from '../../database/sqlite/open.ts';
import { makeDataFolder } from '../../machine/make-data-folder.ts';
import { syncFolder } from '../../machine/sync-folder.ts';
import { AdminError } from '../admin-error.ts';
import { doAlone, findObstacle, withDraftFolder } from './draft-folder.ts';
import { explainFolderFault } from './folder-fault.ts';
import { giveToFolderOwner } from './give-to-folder-owner.ts';

/** Words for the names and messages of the work that fills a folder. */
export interface FillingWork {
  /** Beginning of the draft's name. */
  readonly name: string;
  /** The work that the operator asked for, such as "restore". */
  readonly verb: string;
  /** The content that is written, such as "the restored database". */
  readonly what: string;
  /** How the operator names the folder; `--data` when left out. */
  readonly flags?: string;
}

/**
 * Makes a database in a draft folder, and moves it to a folder that has none. If anything fails or the process is
 * killed, the folder has no database afterwards; one that was missing is removed again after an error.
 *
 * @param fill makes the database and its bookkeeping in the draft folder, and closes them
 * @throws {AdminError} when the folder has a database, or something with the name of a mark, or cannot be written
 * @throws {CopyUnderWayError} when another process fills it at the same moment
 */
export async function fillFolder<T>(
  folder: string,
  work: FillingWork,
  fill: (draft: string) => Promise<T>,
): Promise<T> {
  const isNew = !existsSync(folder);
  makeDataFolder(folder, work.flags);
  try {
    requireEmptyFolder(folder, work);
    return await withDraftFolder(folder, work, async ({ held: path }) => {
      // Before the work, which may take hours.
      refuseObstacle(folder, work);
      const result = await fill(path);
      for (const file of [databaseFile, bookkeepingFile]) {
        emptyLog(join(path, file));
        await giveToFolderOwner(join(path, file), folder);
      }
      // Two processes that did this at once could leave the database of one beside the bookkeeping of the other.
      const isDone = doAlone(folder, () => {
        requireEmptyFolder(folder, work);
        putInPlace(path, folder, work);
      });
      if (!isDone) refuseObstacle(folder, work);
      if (!isDone) throw new CopyUnderWayError(join(folder, databaseFile));
      syncFolder(folder);
      return result;
    });
  } catch (error) {
    if (isNew) await rmdir(folder).catch(() => {});
    throw error;
  }
}

function refuseObstacle(folder: string, { verb }: FillingWork): void {
  const obstacle = findObstacle(folder);
  if (obstacle === undefined) return;
  throw new AdminError(
    `${obstacle}; a ${verb} needs this name for a moment: move it out of the folder, then ${verb} again`,
  );
}

/** Files that must not exist yet. SQLite would apply the log or the journal of another database to the new one. */
const heldBy = ['', '-wal', '-journal'].map((ending) => databaseFile + ending);

/** @throws {AdminError} when the folder has a database or a link in place of one, or cannot be read */
export function requireEmptyFolder(folder: string, { verb, what }: FillingWork): void {
  for (const name of heldBy) {
    const found = lookAt(join(folder, name), (error) => explainFolderFault(error, folder, what));
    if (found?.isSymbolicLink() === true) {
      throw new AdminError(
        `${join(folder, name)} is a link, which a ${verb} would replace: remove it, or ${verb} into the folder that it leads to`,
      );
    }
    if ((found?.size ?? 0) === 0) continue;
    throw new AdminError(
      `${folder} already holds data (${name}); ${verb} into another folder, or stop the server and move ` +
        `${databaseFile} and its files that end in -wal, -shm and -journal elsewhere`,
    );
  }
}

function lookAt(path: string, explain: (error: unknown) => unknown): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw explain(error);
  }
}

/** Moves the bookkeeping first, so no server finds a database without it. Fails if another process created one. */
function putInPlace(draft: string, folder: string, work: FillingWork): void {
  const [from, to] = [join(draft, databaseFile), join(folder, databaseFile)];
  takeEmptyFile(to, join(draft, 'empty'));
  // A server may have begun to make its database in that file.
  requireEmptyFolder(folder, work);
  // A killed server may have left the log of its own bookkeeping, which SQLite would apply to the new one.
  for (const ending of ['-wal', '-shm', '-journal'])
    rmSync(join(folder, bookkeepingFile + ending), { force: true });
  renameSync(join(draft, bookkeepingFile), join(folder, bookkeepingFile));
  if (moveUnlessTaken(from, to)) return;
  // A server that has just started is making its database. It also makes a new bookkeeping when it finds none, so ours
  // is taken back.
  renameSync(join(folder, bookkeepingFile), join(draft, bookkeepingFile));
  requireEmptyFolder(folder, work);
  throw new CopyUnderWayError(to);
}

/**
 * Moves away the empty file that a first start leaves when it is killed at once. A server that starts now may have opened
 * it, and notices that it is gone, unless it has written to it before. Then the file is put back.
 */
function takeEmptyFile(path: string, aside: string): void {
  // A server's database is not moved even for a moment: if this process was killed then, the next draft would delete it.
  if (lstatSync(path, { throwIfNoEntry: false })?.size !== 0) return;
  renameSync(path, aside);
  // If another server has taken the name, the folder has the database of that one.
  if (statSync(aside).size > 0) moveUnlessTaken(aside, path);
}

/**
 * Gives a file another name unless another file has that. The former name may stay until the draft is removed.
 *
 * @returns whether it has the name
 */
function moveUnlessTaken(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(to)) return false;
    // This file system has no hard links.
    renameSync(from, to);
  }
  return true;
}
