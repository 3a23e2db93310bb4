import type { ServerResponse } from 'node:http';

/** Memory of answers whose bytes in the connection's queue do not tell it. */
const noted = new WeakMap<ServerResponse, number>();

/**
 * Notes how much memory an answer takes until it is sent, in bytes: all pieces of one that is sent piece by piece, or
 * nothing for bytes that all answers share.
 */
export function noteHeldBytes(response: ServerResponse, bytes: number): void {
  noted.set(response, bytes);
}

/**
 * Returns about how many bytes of memory an answer takes that its client does not read. Text counts by its characters,
 * of which some take two bytes.
 */
export function heldBytes(response: ServerResponse): number {
  return noted.get(response) ?? response.writableLength;
}
