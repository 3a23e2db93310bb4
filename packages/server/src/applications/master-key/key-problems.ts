import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSet, isWaitingFile, readOwnFile, readVariable } from './find-master-key.ts';
import { masterKeyFile, masterKeyVariable, previousKeyFile, previousKeyVariable } from './key-places.ts';
import { MasterKeyError } from './master-key-error.ts';

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
  /** Whether its only fault is that this user may not read it. A server that runs as another user may. */
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
