import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { warn } from '../output/print.ts';

const bytesMax = 1024 * 1024;

/**
 * Reads a file that a person wrote. The limit keeps a wrong path, such as that of a log or a device without an end,
 * from filling the memory. Says that it waits if the file is a named pipe, which blocks until another process writes.
 *
 * @throws the error of the system; its code is `EFBIG` for a file over the limit
 */
export function readSmallFile(path: string): Buffer {
  if (isNamedPipe(path)) warn(`${path} is a pipe; waiting until a process has written to it and closed it`);
  const file = openSync(path, 'r');
  try {
    return readWithinLimit(file);
  } finally {
    closeSync(file);
  }
}

/** A shell opens the other end of an anonymous pipe, such as `<(command)`, before it starts the reader. */
function isNamedPipe(path: string): boolean {
  try {
    return statSync(realpathSync(path)).isFIFO();
  } catch {
    return false;
  }
}

function readWithinLimit(file: number): Buffer {
  const buffer = Buffer.alloc(bytesMax + 1);
  let length = 0;
  while (length <= bytesMax) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
  throw Object.assign(new Error('the file is too large'), { code: 'EFBIG' });
}
