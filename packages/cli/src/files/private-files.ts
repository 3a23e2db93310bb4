import { randomBytes } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../run-program.ts';

/** These files contain personal data, so only their owner may read them. */
const ownerOnly = 0o600;

/** Windows has neither of these two flags, and no links that others could plant. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_CREAT, O_RDWR } = constants;

/**
 * Writes a file that appears under its name only when it is complete and on disk. The draft beside it has a
 * random name and is created exclusively, so that nobody can plant a link there. A link at the name itself is
 * replaced, not followed. A process that exits meanwhile removes the draft.
 *
 * @throws {UsageError} when the path names a folder, a device or a pipe
 */
export async function replaceFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  await requireReplaceable(path);
  const draft = `${path}.${randomBytes(8).toString('hex')}.new`;
  const file = await open(draft, 'wx', ownerOnly).catch((error: unknown) => {
    throw toUsageError(error, path);
  });
  const remove = () => rmSync(draft, { force: true });
  process.once('exit', remove);
  try {
    return await nameIfFull(path, async () => {
      const result = await work(file);
      await file.datasync();
      await rename(draft, path);
      return result;
    });
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.off('exit', remove);
    await file.close();
  }
}

/**
 * Refuses what a file must not take the place of. Root could otherwise replace /dev/null, which breaks the machine for
 * every program, and /dev/stdout, which is a link to any kind of file.
 *
 * @throws {UsageError} when the path names a folder, a device or a pipe
 */
export async function requireReplaceable(path: string): Promise<void> {
  // A link that leads nowhere is replaced like one that leads to a file.
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return;
  if (found.isDirectory())
    throw new UsageError(`${path} cannot be written: it is a folder; name a file in it`);
  const folder = await realpath(dirname(path));
  if (found.isFile() && folder !== '/dev' && !folder.startsWith('/proc/')) return;
  throw new UsageError(`${path} cannot be written: it is a device or a pipe; name a regular file`);
}

const noFolder = 'its folder does not exist; create it';

/** Why a file cannot be made and what to do, by the system's error code. */
const makingFaults: Readonly<Record<string, string>> = {
  ENOENT: noFolder,
  ENOTDIR: noFolder,
  EACCES: 'this user may not write into its folder; change the owner or the mode of the folder',
  EROFS: 'its file system is read-only; mount it for writing',
};

/** Why a file that may be there already cannot be opened for writing. */
const openingFaults: typeof makingFaults = {
  ...makingFaults,
  EACCES: 'this user may not write it; change the owner or the mode of the file or of its folder',
};

/** Names the file that was asked for; the system's message names the draft. */
function toUsageError(error: unknown, path: string, faults = makingFaults): unknown {
  const reason = faults[(error as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined) return error;
  return new UsageError(`${path} cannot be written: ${reason}, or name another file`, { cause: error });
}

/** What to do about a file that cannot grow, by the system's error code. */
const growingFaults: typeof makingFaults = {
  ENOSPC: 'make room on its disk',
  EDQUOT: "raise this user's quota on its disk, or make room",
  EFBIG: 'raise the limit of file sizes (LimitFSIZE, ulimit -f)',
};

/** Names the file that cannot grow; the system's message names none. */
export async function nameIfFull<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const advice = growingFaults[code];
    if (advice === undefined) throw error;
    throw new Error(`${path} cannot be written (${message}): ${advice}, and run the same command again`, {
      cause: error,
    });
  }
}

/**
 * Opens a file for reading and writing, and creates it if missing.
 *
 * @throws {UsageError} unless it is a regular file of this user with a single name
 */
export async function openOwnFile(path: string): Promise<FileHandle> {
  return makePrivate(await requireOwn(path, await openWith(path, O_RDWR | O_CREAT)));
}

/** Returns the text of a file of this user; `undefined` when it does not exist. */
export async function readOwnFile(path: string): Promise<string | undefined> {
  const opened = await openIfThere(path);
  if (opened === undefined) return undefined;
  await using file = await makePrivate(opened);
  return await file.readFile('utf8');
}

/**
 * Returns the first bytes of a file of this user as text, and does not touch the file. Returns nothing when it does not
 * exist.
 */
export async function readBeginning(path: string, bytesMax: number): Promise<string> {
  await using file = await openIfThere(path);
  if (file === undefined) return '';
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  const file = await openWith(path, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return file && requireOwn(path, file);
}

function openWith(path: string, flags: number): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe of that name would block forever.
  return open(path, flags | O_NOFOLLOW | O_NONBLOCK, ownerOnly).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ELOOP')
      throw (flags & O_CREAT) === 0 ? error : toUsageError(error, path, openingFaults);
    throw new UsageError(
      `${path} is a symbolic link, which is not followed; remove it, or name another file`,
    );
  });
}

async function requireOwn(path: string, file: FileHandle): Promise<FileHandle> {
  try {
    const { uid, nlink } = await requireRegular(path, file);
    const own = process.getuid?.() ?? uid;
    if (uid !== own) throw new UsageError(`${path} belongs to another user; remove it, or name another file`);
    if (nlink > 1) {
      throw new UsageError(
        `${path} is a hard link to a file with other names; remove it, or name another file`,
      );
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Earlier releases created these files readable by everybody. */
async function makePrivate(file: FileHandle): Promise<FileHandle> {
  try {
    await file.chmod(ownerOnly);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function requireRegular(path: string, file: FileHandle) {
  const stats = await file.stat();
  if (!stats.isFile()) throw new UsageError(`${path} is not a regular file; remove it, or name another file`);
  return stats;
}
