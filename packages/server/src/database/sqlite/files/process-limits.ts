import { closeSync, openSync, readFileSync } from 'node:fs';

/** Returns the size that files of this process may reach, in bytes; `undefined` without a limit. Only Linux shows it. */
export function fileBytesMax(): number | undefined {
  try {
    const [, soft] = /^Max file size +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** A database opens about as many files: itself, its log and the log's index, for its connections. */
const filesOfDatabase = 8;

/**
 * Returns whether this process can open hardly any more files. SQLite says only that it cannot open a file, never why.
 *
 * @param path a file or a folder that exists
 */
export function openFilesAreSpent(path: string): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < filesOfDatabase) opened.push(openSync(path, 'r'));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EMFILE';
  } finally {
    for (const file of opened) closeSync(file);
  }
}
