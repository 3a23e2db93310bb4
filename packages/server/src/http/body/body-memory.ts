import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** The memory that request bodies may take at once, in bytes. */
export interface BodyMemory {
  /** For bodies up to {@link smallBodyBytesMax}, and for the start of larger ones. */
  readonly smallBytes: number;
  /** For larger bodies. */
  readonly largeBytes: number;
}

/** Bodies up to this size draw on a reserve of their own. */
export const smallBodyBytesMax = 64 * 1024;

/** Rough overhead of the objects for a request and its first chunk, in bytes. */
export const bodyOverheadBytes = 1024;

/** Memory available to the process, in bytes. */
export interface ProcessMemory {
  /** Limit of the control group; 0 if there is none. */
  readonly constrainedBytes: number;
  readonly totalBytes: number;
  /** V8's limit for the heap. */
  readonly heapBytesMax: number;
}

const mebibyte = 1024 * 1024;

/** More memory would let more bodies arrive at once, but would not make the server faster. */
const bytesMax = 512 * mebibyte;

const smallBytesMin = 4 * mebibyte;

/** The part of the memory that bodies may have while they are carried out, because each takes up to twelve times its size. */
const carriedOutPart = 1 / 32;

/**
 * Derives the memory for bodies from what the process may use. It takes a quarter: the server itself needs 130 MB, and
 * bodies that are carried out take more.
 *
 * @param processes number of processes that share the memory
 * @param largestBodyBytes the largest body that any operation accepts; one such body always fits
 */
export function bodyMemoryOf(memory: ProcessMemory, processes: number, largestBodyBytes: number): BodyMemory {
  const available = availableBytes(memory);
  const bytes = Math.floor(Math.min(bytesMax, available / processes / 4, memory.heapBytesMax / 2));
  const smallBytes = Math.max(smallBytesMin, Math.floor(bytes / 4));
  return { smallBytes, largeBytes: Math.max(largestBodyBytes + bodyOverheadBytes, bytes - smallBytes) };
}

/**
 * Derives how many bytes the bodies of more than 1 MiB may have together that are parsed and carried out at once. Smaller
 * ones have a quarter as much besides.
 *
 * @param processes number of processes that share the memory
 * @param largestBodyBytes the largest body that any operation accepts; one such body may always be carried out
 */
export function carriedOutBytesOf(
  memory: ProcessMemory,
  processes: number,
  largestBodyBytes: number,
): number {
  const bytes = Math.min(availableBytes(memory) / processes, memory.heapBytesMax) * carriedOutPart;
  return Math.max(largestBodyBytes, Math.floor(bytes));
}

export function availableBytes({ constrainedBytes, totalBytes }: ProcessMemory): number {
  return constrainedBytes > 0 ? Math.min(constrainedBytes, totalBytes) : totalBytes;
}

/** Reads the memory limits of this process: control group, machine and V8. */
export function readProcessMemory(): ProcessMemory {
  return {
    constrainedBytes: process.constrainedMemory(),
    totalBytes: totalmem(),
    heapBytesMax: getHeapStatistics().heap_size_limit,
  };
}
