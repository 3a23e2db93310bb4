import type { IncomingMessage } from 'node:http';

/**
 * Requests that may wait with a body that announces no length. It may come in chunks of one byte, each of which is an
 * object until the headers are looked at, so that a single packet takes 4 MB.
 */
const chunkedMax = 32;

/** Memory for the first packets of all other bodies, in bytes. */
const bytesMax = 128 * 1024 * 1024;

/** The most bytes that Node.js reads from a connection at once. */
const packetBytes = 64 * 1024;

/** Bounds the memory that bodies take while their requests wait and nothing has looked at their headers. */
export class WaitingBodies {
  #chunked = 0;
  #bytes = 0;

  /** Returns whether one more request may wait with its body. */
  fits(request: IncomingMessage): boolean {
    const { chunked, bytes } = bodyOf(request);
    return this.#chunked + chunked <= chunkedMax && this.#bytes + bytes <= bytesMax;
  }

  add(request: IncomingMessage): void {
    const { chunked, bytes } = bodyOf(request);
    this.#chunked += chunked;
    this.#bytes += bytes;
  }

  remove(request: IncomingMessage): void {
    const { chunked, bytes } = bodyOf(request);
    this.#chunked -= chunked;
    this.#bytes -= bytes;
  }
}

/** Returns what a request adds to each count. */
function bodyOf({ headers }: IncomingMessage): { readonly chunked: number; readonly bytes: number } {
  if (headers['transfer-encoding'] !== undefined) return { chunked: 1, bytes: 0 };
  return { chunked: 0, bytes: Math.min(Number(headers['content-length']) || 0, packetBytes) };
}
