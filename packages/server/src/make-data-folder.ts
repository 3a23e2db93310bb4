import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The folder that should hold the database cannot; the message is one line for the operator. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'that file system is read-only',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a part of the path is a file',
};

/**
 * Makes the folder, and those above it, where they are not there; what it makes is its owner's alone. Node.js's
 * own recursive way never returns where the system denies that a folder exists in which it lets nothing be made.
 *
 * @param folder absolute path
 */
export function makeDataFolder(folder: string): void {
  try {
    makeStepByStep(folder);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new DataFolderError(
      `${folder} cannot be the data folder: ${reasons[code] ?? message}; choose another with --data or FIELDROSTER_DATA`,
      { cause: error },
    );
  }
}

function makeStepByStep(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`${folder} is a file`);
  makeStepByStep(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts too was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
