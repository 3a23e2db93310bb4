import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { O_NOFOLLOW, O_NONBLOCK } from '../../machine/open-flags.ts';

/**
 * Gives a file that root made to the owner of a folder, who would otherwise not be able to read it. Leaves links alone:
 * they may lead to a file of somebody else.
 */
export async function giveToFolderOwner(path: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0 || lstatSync(path).isSymbolicLink()) return;
  // Fails if somebody puts a link in its place after that look. Opening a pipe would wait for ever without O_NONBLOCK.
  await using file = await open(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  await giveOpenFile(file, folder);
}

/** Does the same with a file that is open, so that nobody can exchange it meanwhile. */
export async function giveOpenFile(file: FileHandle, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  const found = await file.stat();
  if (uid !== 0 && found.isFile() && found.nlink === 1) await file.chown(uid, gid);
}
