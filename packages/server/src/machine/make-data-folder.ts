import { mkdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../errors/operator-error.ts';

/** A folder cannot hold the database. */
export class DataFolderError extends OperatorError {
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
 * Makes the folder and its missing parents, accessible only to their owner. The recursive `mkdir` of Node.js never
 * returns when the system answers ENOENT inside a folder that exists.
 *
 * @param folder absolute path
 * @param flags how the operator can name another folder
 */
export function makeDataFolder(folder: string, flags = '--data or FIELDROSTER_DATA'): void {
  try {
    makeStepByStep(folder);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new DataFolderError(
      `${folder} cannot be the data folder: ${reasons[code] ?? message}; choose another with ${flags}`,
      { cause: error },
    );
  }
}

function makeStepByStep(folder: string, wanted = folder): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const subject = folder === wanted ? 'it' : folder;
  if (found !== undefined) throw new Error(`${subject} is a file`);
  makeStepByStep(dirname(folder), wanted);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process that is starting was faster, or a link leads nowhere.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new Error(
      `${subject} is a link to ${readlinkSync(folder)}, which does not exist: mount its disk, or correct the link`,
    );
  }
}
