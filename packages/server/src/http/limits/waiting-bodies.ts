import type { IncomingMessage } from 'node:http';
import { availableBytes, type ProcessMemory } from '../body/body-memory.ts';

const mebibyte = 1024 * 1024;

/**
 * Memory for the first packet of a body that announces no length, in bytes. The packet may come in chunks of one byte, each of
 * which is an object until the headers are looked at.
 */
const chunkedBytes = 4 * mebibyte;

/** More memory than this would let more bodies wait than a busy process gets to see. */
const bytesMax = 128 * mebibyte;

/** The part of the memory for bodies with a length, and as much for those without one. */
const waitingPart = 1 / 16;

/** The most bytes that Node.js reads from a connection at once. */
const packetBytes = 64 * 1024;

/** The most that may wait at once. */
export interface WaitingBodiesMax {
  /** Requests with a body that announces no length. */
  readonly chunked: number;
  /** Memory for the first packets of all other bodies, in bytes. */
  readonly bytes: number;
}

/**
 * Derives how much may wait from the memory that the process may use.
 *
 * @param processes number of processes that share the memory
 */
export function waitingBodiesMaxOf(memory: ProcessMemory, processes: number): WaitingBodiesMax {
  const part = Math.floor((availableBytes(memory) / processes) * waitingPart);
  const bytes = Math.max(chunkedBytes, Math.min(bytesMax, part));
  return { chunked: Math.floor(bytes / chunkedBytes), bytes };
}

/**
 * Bounds the memory that bodies take while their requests wait and nothing has looked at their headers. All listeners of a
 * process share it.
 */
export class WaitingBodies {
  readonly #max: WaitingBodiesMax;
  #chunked = 0;
  #bytes = 0;

  constructor(max: WaitingBodiesMax) {
    this.#max = max;
  }

  /** Returns whether one more request may wait with its body. */
  fits(request: IncomingMessage): boolean {
    const { chunked, bytes } = bodyOf(request);
    return this.#chunked + chunked <= this.#max.chunked && this.#bytes + bytes <= this.#max.bytes;
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
