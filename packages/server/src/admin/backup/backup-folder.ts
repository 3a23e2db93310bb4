import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { closedFolderAbove } from '../../machine/closed-folder-above.ts';

/** Says that the folder of the scheduled backups is not there, or is no folder, and what to do; else returns nothing. */
export function whyNoBackupFolder(folder: string): string | undefined {
  const path = resolve(folder);
  const found = tryStat(path);
  if (found?.isDirectory()) return undefined;
  if (found !== undefined)
    return `--backup-to names ${path}, which is not a folder; name a folder, or remove what is there`;
  return `${describeMissing(path)}, or name the right one with --backup-to`;
}

/** Says that there is no folder, or which folder keeps this user from it, and what to do. */
export function describeMissing(folder: string, use = ''): string {
  const closed = closedFolderAbove(folder);
  return closed === undefined
    ? `there is no folder ${folder}${use}; create it`
    : `this user may not enter ${closed}, which the folder ${folder}${use} is in; run this as root`;
}

function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
