import { constants, lstatSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/**
 * Gives a file that root made to the owner of a folder, who would otherwise not be able to read it. Leaves links alone:
 * they may lead to a file of somebody else.
 */
export async function giveToFolderOwner(path: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  if (uid === 0 || lstatSync(path).isSymbolicLink()) return;
  // Fails if somebody puts a link in its place after that look.
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  if ((await file.stat()).nlink === 1) await file.chown(uid, gid);
}
