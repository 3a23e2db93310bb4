import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Says that the folder of the scheduled backups is not there, or is no folder, and what to do; else returns nothing. */
export function whyNoBackupFolder(folder: string): string | undefined {
  const path = resolve(folder);
  const found = tryStat(path);
  if (found?.isDirectory()) return undefined;
  if (found !== undefined)
    return `--backup-to names ${path}, which is not a folder; name a folder, or remove what is there`;
  return `there is no folder ${path}, or this user may not see it; create it, or name the right one with --backup-to`;
}

function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
