import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** How much memory request bodies may take at once, in bytes. */
export interface BodyMemory {
  /** For bodies up to {@link smallBodyBytesMax}, and the beginning of larger ones. */
  readonly smallBytes: number;
  /** For larger ones. */
  readonly largeBytes: number;
}

/** A body up to this size comes out of a reserve that larger ones cannot use. */
export const smallBodyBytesMax = 64 * 1024;

/** What the process may use, in bytes. */
export interface ProcessMemory {
  /** The limit of the control group; 0 when there is none. */
  readonly constrainedBytes: number;
  readonly totalBytes: number;
  /** The most that V8 lets the heap grow to. */
  readonly heapBytesMax: number;
}

const mebibyte = 1024 * 1024;

/** Beyond that, more bodies at once do not make a server faster. */
const bytesMax = 512 * mebibyte;

const smallBytesMin = 4 * mebibyte;

/**
 * Derives the memory for bodies from what the process may use. A quarter of it: a body that is being worked on
 * takes about twice its size on the heap, and the server itself needs 130 MB.
 *
 * @param processes that share the memory
 * @param largestBodyBytes the largest body that an operation accepts; one of them fits in any case
 */
export function bodyMemoryOf(
  { constrainedBytes, totalBytes, heapBytesMax }: ProcessMemory,
  processes: number,
  largestBodyBytes: number,
): BodyMemory {
  const available = constrainedBytes > 0 ? Math.min(constrainedBytes, totalBytes) : totalBytes;
  const bytes = Math.floor(Math.min(bytesMax, available / processes / 4, heapBytesMax / 2));
  const smallBytes = Math.max(smallBytesMin, Math.floor(bytes / 4));
  return { smallBytes, largeBytes: Math.max(largestBodyBytes, bytes - smallBytes) };
}

/** Reads the limits that this process runs under: of its control group, the machine and V8. */
export function readProcessMemory(): ProcessMemory {
  return {
    constrainedBytes: process.constrainedMemory(),
    totalBytes: totalmem(),
    heapBytesMax: getHeapStatistics().heap_size_limit,
  };
}
