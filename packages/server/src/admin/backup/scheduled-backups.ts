import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A verified backup that the schedule made. */
export interface ScheduledBackup {
  readonly file: string;
  /** When it was started, in Unix milliseconds. */
  readonly atMs: number;
}

/** Sorts by time, because the times in it have the same length. */
const scheduledName = /^fieldroster-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

/** @param atMs Unix milliseconds */
export function scheduledFileName(atMs: number): string {
  const time = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `fieldroster-${time}.backup`;
}

/** Returns the scheduled backups of a folder, the oldest first. A backup has its name only once it is verified. */
export function listScheduledBackups(folder: string): ScheduledBackup[] {
  return readdirSync(folder)
    .filter((name) => scheduledName.test(name))
    .sort()
    .map((name) => ({ file: join(folder, name), atMs: timeOf(name) }));
}

function timeOf(name: string): number {
  return Date.parse(name.replace(scheduledName, '$1-$2-$3T$4:$5:$6Z'));
}
