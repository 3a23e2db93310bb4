import { createReadStream } from 'node:fs';
import { whyUnreadable } from '../files/file-faults.ts';
import { UsageError } from '../run-program.ts';

const mebibyte = 1024 * 1024;

/** No server accepts a larger body, whatever its settings. */
const bytesMax = 256 * mebibyte;

/**
 * Reads a flag's value as bytes: the text itself, the content of `@FILE`, or standard input for `@-`. The limit keeps a
 * wrong path, such as that of a device without an end, from filling the memory.
 */
export async function readBytes(flag: string, value: string): Promise<Buffer> {
  if (!value.startsWith('@')) return Buffer.from(value);
  const file = value.slice(1);
  if (file === '') throw new UsageError(`${flag} is @ without a file; write @FILE, or @- for standard input`);
  const bytes = await readWithinLimit(file).catch((error: unknown) => {
    throw new UsageError(`${flag} names ${file}, which ${whyUnreadable(error)}`, { cause: error });
  });
  if (bytes !== undefined) return bytes;
  throw new UsageError(
    `${flag} names ${file}, which is larger than ${bytesMax / mebibyte} MiB, more than any server accepts; correct the path`,
  );
}

/** Returns `undefined` for more than the limit. */
async function readWithinLimit(file: string): Promise<Buffer | undefined> {
  // A synchronous read of standard input may fail if it is a pipe that has no data yet.
  const source = file === '-' ? process.stdin : createReadStream(file);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
