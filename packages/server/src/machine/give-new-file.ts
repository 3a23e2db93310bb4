import { fchownSync, statSync } from 'node:fs';

/**
 * Gives a new file that is open to the owner of its folder. The server, which runs as that user, could otherwise not read
 * what a command of root has made. Does nothing for other users, who may give nothing away.
 */
export function giveNewFile(descriptor: number, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) fchownSync(descriptor, uid, gid);
}
