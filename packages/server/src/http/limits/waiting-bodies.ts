import type { IncomingMessage } from 'node:http';
import { type MemoryShares, requestBytes } from './memory-shares.ts';

const mebibyte = 1024 * 1024;

/**
 * Memory for the first packet of a body that announces no length, in bytes. The packet may come in chunks of one byte, each of
 * which is an object until the headers are looked at.
 */
const chunkedBytes = 4 * mebibyte;

/** The most bytes that Node.js reads from a connection at once. */
const packetBytes = 64 * 1024;

/** The most that may wait at once. */
export interface WaitingBodiesMax {
  readonly requests: number;
  /** Requests with a body that announces no length. */
  readonly chunked: number;
  /** Memory for the first packets of all other bodies, in bytes. */
  readonly bytes: number;
}

/** Derives how much may wait from the memory for it. */
export function waitingBodiesMaxOf({
  waitingRequests,
  waitingBodies,
  waitingChunkedBodies,
}: MemoryShares): WaitingBodiesMax {
  return {
    requests: Math.floor(waitingRequests / requestBytes),
    chunked: Math.floor(waitingChunkedBodies / chunkedBytes),
    bytes: waitingBodies,
  };
}

/**
 * Bounds the memory that requests and their bodies take while they wait and nothing has looked at their headers. All
 * listeners of a process share it.
 */
export class WaitingBodies {
  readonly #max: WaitingBodiesMax;
  #requests = 0;
  #chunked = 0;
  #bytes = 0;

  constructor(max: WaitingBodiesMax) {
    this.#max = max;
  }

  /** Returns whether one more request may wait with its body. */
  fits(request: IncomingMessage): boolean {
    const { chunked, bytes } = bodyOf(request);
    return (
      this.#requests < this.#max.requests &&
      this.#chunked + chunked <= this.#max.chunked &&
      this.#bytes + bytes <= this.#max.bytes
    );
  }

  add(request: IncomingMessage): void {
    const { chunked, bytes } = bodyOf(request);
    this.#requests += 1;
    this.#chunked += chunked;
    this.#bytes += bytes;
  }

  remove(request: IncomingMessage): void {
    const { chunked, bytes } = bodyOf(request);
    this.#requests -= 1;
    this.#chunked -= chunked;
    this.#bytes -= bytes;
  }
}

/** Returns what a request adds to each count. */
function bodyOf({ headers }: IncomingMessage): { readonly chunked: number; readonly bytes: number } {
  if (headers['transfer-encoding'] !== undefined) return { chunked: 1, bytes: 0 };
  return { chunked: 0, bytes: Math.min(Number(headers['content-length']) || 0, packetBytes) };
}
