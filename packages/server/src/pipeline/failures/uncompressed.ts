import { unzipSync } from 'node:zlib';

/** The largest body that is read, in bytes: the work is done for callers whose signature is wrong. */
const bytesMax = 16 * 1024;

/** The largest result, in bytes. A small body can unfold into a thousand times as much. */
const maxOutputLength = 64 * 1024;

/** Returns whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Returns what was compressed by gzip; `undefined` if the bytes are not gzip, or exceed a bound. */
export function uncompressed(bytes: Uint8Array): Uint8Array | undefined {
  if (!isGzip(bytes) || bytes.length > bytesMax) return undefined;
  try {
    return unzipSync(bytes, { maxOutputLength });
  } catch {
    // It only begins like gzip, or unfolds into too much.
    return undefined;
  }
}
