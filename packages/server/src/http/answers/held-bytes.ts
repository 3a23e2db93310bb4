import type { ServerResponse } from 'node:http';

/** Sizes of answers that are sent piece by piece, in bytes. */
const sizes = new WeakMap<ServerResponse, number>();

/** Notes the size of an answer whose pieces stay in memory until the last of them is sent. */
export function noteHeldBytes(response: ServerResponse, bytes: number): void {
  sizes.set(response, bytes);
}

/** Returns how many bytes of memory an answer takes that its client does not read. */
export function heldBytes(response: ServerResponse): number {
  return Math.max(response.writableLength, sizes.get(response) ?? 0);
}
