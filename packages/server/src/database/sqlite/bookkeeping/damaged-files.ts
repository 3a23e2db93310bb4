import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Endings of the files that belong together, in the order in which they are moved or removed. The database comes last, so
 * that no log is left behind for a new database to take as its own.
 */
export const removalOrder = ['-wal', '-shm', ''] as const;

/** How many damaged files are kept. A faulty disk may damage one after the other, and they must not fill it. */
const keptMax = 3;

/** Returns the path to which a damaged file is moved. */
export function nameAside(path: string, at: Date): string {
  return `${path}.damaged-${at.toISOString().replaceAll(/[-:]|\..*/g, '')}`;
}

/** Removes all files that were moved aside, except the newest few. */
export function removeOldestAside(path: string): void {
  const folder = dirname(path);
  try {
    const oldest = [...new Set(namesAside(path).map(({ start }) => start))].sort().slice(0, -keptMax);
    for (const name of oldest)
      for (const ending of removalOrder) rmSync(join(folder, name + ending), { force: true });
  } catch {
    // Files that stay only take space; the next call tries again.
  }
}

/** Returns the paths of the files that were moved aside, with their logs, the oldest first. */
export function filesAside(path: string): string[] {
  return namesAside(path)
    .map(({ name }) => join(dirname(path), name))
    .sort();
}

/** What follows the name of the file: a time, and the ending of a log. */
const aside = /^(\.damaged-\d{8}T\d{6})(?:-wal|-shm)?$/;

function namesAside(path: string): { readonly name: string; readonly start: string }[] {
  const own = basename(path);
  return readdirSync(dirname(path)).flatMap((name) => {
    const [, ending] = name.startsWith(own) ? (aside.exec(name.slice(own.length)) ?? []) : [];
    return ending === undefined ? [] : [{ name, start: own + ending }];
  });
}
