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

/** The most bytes that Node.js makes of one character of a text. */
const bytesPerCharacterMax = 3;

/** Returns about how many bytes of memory an answer takes that its client does not read. */
export function heldBytes(response: ServerResponse): number {
  return noted.get(response) ?? Math.max(response.writableLength, encodedBytes(response));
}

/**
 * Returns how many bytes a text takes as it is sent. Node.js counts its characters, and of a Chinese text each takes two
 * bytes while it waits and three once it is being sent. It keeps the announced length in this undocumented property. An answer
 * to HEAD announces more than it holds.
 */
function encodedBytes(response: ServerResponse): number {
  const announced: unknown = Reflect.get(response, '_contentLength');
  if (typeof announced !== 'number') return 0;
  return Math.min(announced, bytesPerCharacterMax * response.writableLength);
}
