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

/** Returns the memory that the processes of this server have together, in bytes. */
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
