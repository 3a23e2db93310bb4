import { statSync } from 'node:fs';
import { warn } from '../output/print.ts';
import { UsageError } from '../run-program.ts';
import { readableByAnyone, whyUnreadable } from './file-faults.ts';
import { readSmallFile } from './read-small-file.ts';

/** Variables that contain a secret. Each may name a file instead, such as `FIELDROSTER_MASTER_KEY_FILE`. */
export const secretVariables = [
  'FIELDROSTER_DATABASE_URL',
  'FIELDROSTER_DATABASE_REPLICA_URL',
  'FIELDROSTER_MASTER_KEY',
  'FIELDROSTER_MASTER_KEY_PREVIOUS',
  'FIELDROSTER_APP_SECRET',
] as const;

export type SecretVariable = (typeof secretVariables)[number];

/** A deployment may name this file all the time, although it has content only while the master key is replaced. */
const optionalFiles: readonly SecretVariable[] = ['FIELDROSTER_MASTER_KEY_PREVIOUS'];

/** Servers read these files again, so a pipe will not work. */
const rereadFiles: readonly SecretVariable[] = ['FIELDROSTER_MASTER_KEY', 'FIELDROSTER_MASTER_KEY_PREVIOUS'];

/** Returns the variable that names the file of a secret. */
export function fileVariable(variable: SecretVariable): string {
  return `${variable}_FILE`;
}

/**
 * Returns a copy of the environment with the content of the secret files it names. The secrets stay out of
 * `process.env`, which child processes inherit.
 *
 * @param variables those that the command reads; no other file is opened
 * @param onProblem called when a secret is given twice, or its file cannot be read or is empty; the message never
 * contains the content. It throws the error when left out; otherwise that secret is left as it is.
 */
export function withSecretFiles(
  environment: NodeJS.ProcessEnv,
  variables: readonly SecretVariable[],
  onProblem: OnSecretProblem = throwProblem,
): NodeJS.ProcessEnv {
  const secrets = variables
    .map((variable) => [variable, tryReadSecret(environment, variable, onProblem)] as const)
    .filter(([, secret]) => secret !== undefined);
  return { ...environment, ...Object.fromEntries(secrets) };
}

export type OnSecretProblem = (variable: SecretVariable, error: UsageError) => void;

function throwProblem(_variable: SecretVariable, error: UsageError): never {
  throw error;
}

function tryReadSecret(
  environment: NodeJS.ProcessEnv,
  variable: SecretVariable,
  onProblem: OnSecretProblem,
): string | undefined {
  try {
    return readSecret(environment, variable);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    onProblem(variable, error);
    return undefined;
  }
}

function readSecret(environment: NodeJS.ProcessEnv, variable: SecretVariable): string | undefined {
  const source = fileVariable(variable);
  const path = environment[source];
  if (path === undefined || path === '') return undefined;
  if (environment[variable])
    throw new UsageError(`${variable} and ${source} are both set; unset one of them`);
  if (rereadFiles.includes(variable) && isPipe(path)) {
    throw new UsageError(
      `${source} names ${path}, which is a pipe; servers read the key more than once, so put it into a file`,
    );
  }
  // Reading a missing file would be an error.
  if (optionalFiles.includes(variable) && bytesOf(path) === 0) return undefined;
  const text = withoutByteOrderMark(readText(path, source)).replace(/\r?\n$/, '');
  if (text.trim() === '') {
    // An editor may leave the end of a line in a file that was emptied.
    if (optionalFiles.includes(variable)) return undefined;
    throw new UsageError(`${source} names ${path}, which is empty; write the secret into it`);
  }
  warnIfAnyoneMayRead(path, source);
  return text;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function isPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

function readText(path: string, source: string): string {
  try {
    return readSmallFile(path).toString('utf8');
  } catch (error) {
    throw new UsageError(`${source} names ${path}, which ${whyUnreadable(error)}`, { cause: error });
  }
}

/** Editors on Windows write the mark, and no secret begins with it. */
function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function warnIfAnyoneMayRead(path: string, source: string): void {
  if (process.platform === 'win32' || !readableByAnyone(statSync(path).mode)) return;
  warn(`${path} (${source}) holds a secret that any user of this machine can read; run: chmod o= '${path}'`);
}
