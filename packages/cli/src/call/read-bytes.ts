import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { whyUnreadable } from '../files/file-faults.ts';
import { UsageError } from '../run-program.ts';

/** Reads a flag's value as bytes: the text itself, the content of `@FILE`, or standard input for `@-`. */
export async function readBytes(flag: string, value: string): Promise<Buffer> {
  if (!value.startsWith('@')) return Buffer.from(value);
  const file = value.slice(1);
  if (file === '') throw new UsageError(`${flag} is @ without a file; write @FILE, or @- for standard input`);
  try {
    // A synchronous read of standard input may fail if it is a pipe that has no data yet.
    return await (file === '-' ? buffer(process.stdin) : readFile(file));
  } catch (error) {
    throw new UsageError(`${flag} names ${file}, which ${whyUnreadable(error)}`, { cause: error });
  }
}
