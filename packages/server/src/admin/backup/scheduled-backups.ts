import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The names sort by time, because their times have the same length. */
const scheduledName = /^fieldroster-\d{8}T\d{6}Z\.backup$/;

/** Matches the paths of such files, in a comparison by `LIKE`. */
export const scheduledPathsLike = '%fieldroster-________T______Z.backup';

/** @param atMs Unix milliseconds */
export function scheduledFileName(atMs: number): string {
  const time = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `fieldroster-${time}.backup`;
}

/** Returns the scheduled backups of a folder, the oldest first. A backup has its name only once it is verified. */
export function listScheduledBackups(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => scheduledName.test(name))
    .sort()
    .map((name) => join(folder, name));
}
