import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '../errors/operator-error.ts';
import { makeDataFolder } from '../machine/make-data-folder.ts';
import { masterKeyBytes } from './held-key.ts';
import { syncKeyFolder } from './sync-key-folder.ts';

/** Environment variable of the master key: 32 bytes in Base64 or hexadecimal digits. */
export const masterKeyVariable = 'FIELDROSTER_MASTER_KEY';

/** Environment variable of the previous key, while the master key is being replaced. */
export const previousKeyVariable = 'FIELDROSTER_MASTER_KEY_PREVIOUS';

/** Name of the key file within the data folder. */
export const masterKeyFile = 'master.key';

/** Name of the previous key's file within the data folder. */
export const previousKeyFile = 'master.key.previous';

/** Thrown when the master key is missing, unreadable or not the one that the database was written with. */
export class MasterKeyError extends OperatorError {
  override readonly name = 'MasterKeyError';
}

/**
 * Reads the master key from the environment, else from the key file; returns `undefined` when there is neither.
 *
 * @throws {MasterKeyError} when it is not a valid key, or every user of the machine may read the key file of the data
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

/** Returns whether the file of the previous key is empty. It has content only while the master key is being replaced. */
function isWaitingFile(environment: NodeJS.ProcessEnv): boolean {
  const file = environment[`${previousKeyVariable}_FILE`];
  return Boolean(file) && (statSync(file ?? '', { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** A key that a variable gives, and that a server would not start with. */
export interface GivenKeyProblem {
  readonly variable: string;
  readonly message: string;
}

/** Returns why the keys that the environment gives are not accepted. No message has a part of a key. */
export function givenKeyProblems(environment: NodeJS.ProcessEnv): GivenKeyProblem[] {
  const variables = [masterKeyVariable, ...(isWaitingFile(environment) ? [] : [previousKeyVariable])];
  return variables.flatMap((variable) => {
    try {
      readVariable(environment, variable);
      return [];
    } catch (error) {
      if (error instanceof MasterKeyError) return [{ variable, message: error.message }];
      throw error;
    }
  });
}

/** A key file of the data folder that a server of this user would not start with. */
export interface KeyFileProblem {
  readonly file: string;
  readonly message: string;
  /** Whether only this user may not read it, so that a server of another user may. */
  readonly isClosed: boolean;
}

/** Returns what is wrong with the key files of the data folder, if a server would read them. */
export function keyFileProblems(folder: string, environment: NodeJS.ProcessEnv): KeyFileProblem[] {
  if (isSet(environment, masterKeyVariable)) return [];
  const previousIsGiven = isWaitingFile(environment) || isSet(environment, previousKeyVariable);
  return [masterKeyFile, ...(previousIsGiven ? [] : [previousKeyFile])].flatMap((name) => {
    const file = join(folder, name);
    try {
      readOwnFile(file);
      return [];
    } catch (error) {
      if (!(error instanceof MasterKeyError)) throw error;
      const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
      const isClosed = code === 'EACCES';
      // In a folder that this user may not open, only the master key must exist.
      if (isClosed && name === previousKeyFile && !existsSync(file)) return [];
      return [{ file, message: error.message, isClosed }];
    }
  });
}

/** Returns the files that the two keys are read from, whether or not they exist. */
export function keyFiles(folder: string, environment: NodeJS.ProcessEnv): readonly string[] {
  const variables = [masterKeyVariable, previousKeyVariable];
  const mounted = variables.flatMap((variable) => environment[`${variable}_FILE`] || []);
  const own = isSet(environment, masterKeyVariable) ? [] : [masterKeyFile, previousKeyFile];
  return [...mounted, ...own.map((name) => join(folder, name))];
}

function isSet(environment: NodeJS.ProcessEnv, variable: string): boolean {
  return (environment[variable] ?? '') !== '';
}

/** The environment holds what a mounted file contained at the start. The file may have changed since. */
function readVariable(environment: NodeJS.ProcessEnv, variable: string): Uint8Array | undefined {
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

function readOwnFile(path: string): Uint8Array | undefined {
  const key = readKeyFile(
    path,
    basename(path) === previousKeyFile ? repairs[previousKeyVariable] : undefined,
  );
  if (key !== undefined) refuseExposedKeyFile(path);
  return key;
}

/**
 * Returns who else may read a key file and what to do, or `undefined` when only its owner may. Where a platform such as
 * Kubernetes mounts a secret, the operator may not control its mode, so this is only a warning. A file in the data
 * folder is refused; see `findMasterKey`.
 */
export function keyFileExposure(path: string): string | undefined {
  // Windows has no such modes and shows every file as readable by all.
  const mode = process.platform === 'win32' ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0);
  if ((mode & everybody) !== 0)
    return `every user of this machine may read the key file ${path}; run: chmod 600 ${path}`;
  if ((mode & group) !== 0) return `the group of the key file ${path} may read it; run: chmod 600 ${path}`;
  return undefined;
}

const everybody = 0o007;
const group = 0o070;

function refuseExposedKeyFile(path: string): void {
  const found = lstatSync(path);
  // A link leads to a secret mounted elsewhere. A volume may set the group of files itself.
  if (found.isSymbolicLink() || (found.mode & everybody) === 0) return;
  const exposure = keyFileExposure(path);
  if (exposure !== undefined) throw new MasterKeyError(exposure);
}

/**
 * Returns the key file that `findMasterKey` reads, or `undefined` when the environment gives the key or there is no
 * file.
 */
export function keyFileInUse(folder: string, environment: NodeJS.ProcessEnv): string | undefined {
  const path = join(folder, masterKeyFile);
  return !isSet(environment, masterKeyVariable) && existsSync(path) ? path : undefined;
}

/** Makes a key file that only its owner may read. A file made by another process in the meantime is kept and read. */
export function makeMasterKey(folder: string): Uint8Array {
  const path = join(folder, masterKeyFile);
  makeDataFolder(folder);
  // Written aside and linked into place, so that two processes that start at once read the same complete key.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(masterKeyBytes).toString('base64')}\n`, { mode: 0o600, flush: true });
    chmodSync(draft, 0o600);
    linkSync(draft, path);
    syncKeyFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toUnwrittenKey(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKeyFile(path);
  if (key === undefined) throw new MasterKeyError(`the key file ${path} was removed as soon as it was made`);
  return key;
}

function readKeyFile(path: string, repair?: string): Uint8Array | undefined {
  try {
    return decodeMasterKey(readFileSync(path, 'utf8'), `the key file ${path}`, repair);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const fault = keyFileFaults[code ?? ''];
    if (fault === undefined) throw error;
    throw new MasterKeyError(`the key file ${path} ${fault}`, { cause: error });
  }
}

/** Why a key file cannot be read and what to do, by the system's error code. */
const keyFileFaults: Readonly<Record<string, string>> = {
  EACCES:
    'may not be read by this user: change the owner of the file and of its folder, or run this as their owner',
  EISDIR:
    'is a folder, which container engines make where a mounted file is missing: remove it, and put the key file there',
};

/** Turns the system's error while a key file was written into one that names the file and says what to do. */
export function toUnwrittenKey(error: unknown, path: string): unknown {
  const reason = unwrittenReasons[(error as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined) return error;
  return new MasterKeyError(`the key file ${path} cannot be written, because ${reason}, and try again`, {
    cause: error,
  });
}

/** Why a key cannot be written into a file and what to do, by the system's error code. */
export const unwrittenReasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write it: change the owner or the mode of its folder',
  EDQUOT: 'the quota of this user is used up: make room',
  ENOSPC: 'its disk has no room left: make room',
  EPERM: 'this user may not write it: change the owner or the mode of its folder',
  EROFS: 'its file system is read-only: mount it for writing',
};

const restoreMasterKey =
  'restore it from where its copy is kept, because no other key opens the secrets of the database; only for a ' +
  'directory without applications and operators, make a new one with: openssl rand -base64 32';

/** What to do about an invalid key, by the variable of its kind. A previous key is needed only during a rotation. */
const repairs: Readonly<Record<string, string>> = {
  [masterKeyVariable]: restoreMasterKey,
  [previousKeyVariable]:
    'restore it from where its copy is kept, or remove it and run fieldroster key check, which says whether a secret ' +
    'still needs it',
};

function decodeMasterKey(text: string, source: string, repair = restoreMasterKey): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, hexadecimal.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== masterKeyBytes || !isEncodingOf(key, trimmed)) {
    throw new MasterKeyError(
      `${source} must contain ${masterKeyBytes} bytes in Base64 or ${masterKeyBytes * 2} hexadecimal digits; ${repair}`,
    );
  }
  return key;
}

const hexadecimal = /^[0-9a-f]{64}$/i;

/**
 * Returns whether the text encodes exactly this key. The decoder skips characters that are not Base64, so without this
 * check a passphrase would pass as a weak key.
 */
function isEncodingOf(key: Buffer, text: string): boolean {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return hexadecimal.test(text) || key.toString('base64').replace(/=+$/, '') === base64;
}
