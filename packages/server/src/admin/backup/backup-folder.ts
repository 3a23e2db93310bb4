import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Says that the folder of the scheduled backups is not there, and what to do; returns nothing if it is. */
export function whyNoBackupFolder(folder: string): string | undefined {
  const path = resolve(folder);
  if (existsSync(path)) return undefined;
  return `there is no folder ${path}, or this user may not see it; create it, or name the right one with --backup-to`;
}
