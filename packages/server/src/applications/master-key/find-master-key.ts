import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decodeMasterKey, repairs } from './decode-master-key.ts';
import { refuseExposedKeyFile } from './key-file-exposure.ts';
import { masterKeyFile, masterKeyVariable, previousKeyFile, previousKeyVariable } from './key-places.ts';
import { readKeyFile } from './read-key-file.ts';

/**
 * Reads the master key from the environment, else from the key file; returns `undefined` when there is neither.
 *
 * @throws {MasterKeyError} when it is not a valid key, or any user of the machine may read the key file of the data
 *   folder
 */
export function findMasterKey(folder: string, environment: NodeJS.ProcessEnv): Uint8Array | undefined {
  return readVariable(environment, masterKeyVariable) ?? readOwnFile(join(folder, masterKeyFile));
}

/**
 * Reads the previous key, which a process holds while the master key is being replaced. It comes from the same kind of
 * place as the master key.
 *
 * @throws {MasterKeyError} as `findMasterKey` does
 */
export function findPreviousKey(folder: string, environment: NodeJS.ProcessEnv): Uint8Array | undefined {
  if (isWaitingFile(environment)) return undefined;
  const given = readVariable(environment, previousKeyVariable);
  if (given !== undefined || isSet(environment, masterKeyVariable)) return given;
  return readOwnFile(join(folder, previousKeyFile));
}

/** Returns whether the file of the previous key holds none. It has one only while the master key is being replaced. */
export function isWaitingFile(environment: NodeJS.ProcessEnv): boolean {
  const file = environment[`${previousKeyVariable}_FILE`];
  return Boolean(file) && isBlankFile(file ?? '');
}

/** Editors leave ends of lines, or a byte order mark, in a file that was emptied. No file of this size holds a key. */
const blankBytesMax = 40;

/** Returns whether a file is missing, or has nothing but white space. */
function isBlankFile(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > blankBytesMax) return size === 0;
  try {
    // A byte order mark counts as white space.
    return readFileSync(path, 'utf8').trim() === '';
  } catch {
    // Reading the key reports the fault.
    return false;
  }
}

/** Returns the files that the two keys are read from, whether or not they exist. */
export function keyFiles(folder: string, environment: NodeJS.ProcessEnv): readonly string[] {
  const variables = [masterKeyVariable, previousKeyVariable];
  const mounted = variables.flatMap((variable) => environment[`${variable}_FILE`] || []);
  const own = isSet(environment, masterKeyVariable) ? [] : [masterKeyFile, previousKeyFile];
  return [...mounted, ...own.map((name) => join(folder, name))];
}

export function isSet(environment: NodeJS.ProcessEnv, variable: string): boolean {
  return (environment[variable] ?? '') !== '';
}

/** The environment holds what a mounted file contained at the start. The file may have changed since. */
export function readVariable(environment: NodeJS.ProcessEnv, variable: string): Uint8Array | undefined {
  const file = environment[`${variable}_FILE`];
  const given = environment[variable];
  if (file) {
    const key = readKeyFile(file, repairs[variable]);
    if (key !== undefined) return key;
    if (isSet(environment, variable))
      return decodeMasterKey(given ?? '', `the key file ${file}`, repairs[variable]);
    return undefined;
  }
  return isSet(environment, variable)
    ? decodeMasterKey(given ?? '', `the environment variable ${variable}`, repairs[variable])
    : undefined;
}

export function readOwnFile(path: string): Uint8Array | undefined {
  const key = readKeyFile(
    path,
    basename(path) === previousKeyFile ? repairs[previousKeyVariable] : undefined,
  );
  if (key !== undefined) refuseExposedKeyFile(path);
  return key;
}

/**
 * Returns the key file that `findMasterKey` reads, or `undefined` when the environment gives the key or there is no
 * file.
 */
export function keyFileInUse(folder: string, environment: NodeJS.ProcessEnv): string | undefined {
  const path = join(folder, masterKeyFile);
  return !isSet(environment, masterKeyVariable) && existsSync(path) ? path : undefined;
}
