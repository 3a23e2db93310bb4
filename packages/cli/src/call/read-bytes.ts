import { readFileSync } from 'node:fs';
import { whyUnreadable } from '../files/file-faults.ts';
import { UsageError } from '../run-program.ts';

const standardInput = 0;

/** Reads a flag's value as bytes: the text itself, the content of `@FILE`, or standard input for `@-`. */
export function readBytes(flag: string, value: string): Buffer {
  if (!value.startsWith('@')) return Buffer.from(value);
  const file = value.slice(1);
  try {
    return readFileSync(file === '-' ? standardInput : file);
  } catch (error) {
    throw new UsageError(`${flag} names ${file}, which ${whyUnreadable(error)}`, { cause: error });
  }
}
