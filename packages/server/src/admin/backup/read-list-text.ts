import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { O_NOFOLLOW, O_NONBLOCK } from '../../machine/open-flags.ts';
import { AdminError } from '../admin-error.ts';

/**
 * Returns the text of a list of erasures; a missing file is an empty list.
 *
 * @throws {AdminError} when it is no file that can be read, or a link that may not be followed
 */
export async function readListText(path: string): Promise<string> {
  try {
    await using file = await openList(path);
    await requireFile(path, file);
    return await file.readFile('utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    if (error instanceof AdminError) throw error;
    const said = code === 'EACCES' ? closed(path) : `${path} cannot be read: ${message}`;
    throw new AdminError(said, { cause: error });
  }
}

function closed(path: string): string {
  return `${path} may not be read by this user (EACCES); run the command as the user of the server, or as root`;
}

async function openList(path: string): Promise<FileHandle> {
  // Opening a pipe would wait for ever without O_NONBLOCK.
  const flags = constants.O_RDONLY | O_NONBLOCK;
  try {
    return await open(path, flags | O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
  }
  const file = await open(path, flags);
  if (await mayFollow(path, file)) return file;
  await file.close();
  throw new AdminError(`${path} is a link to a file of another user; put a copy of that file in its place`);
}

/**
 * Returns whether root may read the file behind a link. The owner of the folder gets a copy of what is read, so a link of
 * theirs could make root hand over a list that only root may read.
 */
async function mayFollow(path: string, target: FileHandle): Promise<boolean> {
  if (process.getuid?.() !== 0) return true;
  const { uid } = await stat(dirname(path));
  return uid === 0 || uid === (await target.stat()).uid;
}

/** A list is replaced, which a pipe cannot be. */
async function requireFile(path: string, file: FileHandle): Promise<void> {
  const found = await file.stat();
  if (found.isFile()) return;
  const kind = found.isDirectory() ? 'is a folder' : 'is not a regular file';
  throw new AdminError(`${path} ${kind}; name a file for the list of erasures`);
}
