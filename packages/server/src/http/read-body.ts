import type { Readable } from 'node:stream';
import { ApiError } from '../api-error.ts';

/** What is read and thrown away of a body over the limit, so that its sender gets to read the answer. */
const discardedBytesMax = 64 * 1024 * 1024;

/**
 * Reads a body and counts while reading: beyond the limit nothing more is kept. The rest is still taken in,
 * within bounds, because a connection closed on a sender in the middle of its body loses the answer.
 *
 * @throws {ApiError} 1004 when the body is larger than `bytesMax`
 */
export function readBody(payload: Readable, bytesMax: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let chunks: Buffer[] = [];
  let bytes = 0;
  payload.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    else chunks = [];
    if (bytes > bytesMax + discardedBytesMax) reject(tooLarge(bytesMax));
  });
  payload.on('end', () =>
    bytes > bytesMax ? reject(tooLarge(bytesMax)) : resolve(Buffer.concat(chunks, bytes)),
  );
  payload.on('error', reject);
  payload.on('close', () => reject(new ApiError(1001, 'the body ended before its announced length')));
  return promise;
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError(1004, `the body is larger than the limit of ${bytesMax} bytes`);
}
