import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

interface ScratchDiskOptions {
  /** Where the system may have a file system in memory. Linux has one here. */
  readonly inMemory?: string;
  readonly neededBytes?: number;
}

/** `TMPFS_MAGIC` of Linux. */
const tmpfs = 0x01021994;

/**
 * Returns a folder for files that need not outlive the machine: in memory if that has plenty of room, otherwise the
 * folder for temporary files.
 */
export function scratchDisk({
  inMemory = '/dev/shm',
  neededBytes = 8 * 2 ** 30,
}: ScratchDiskOptions = {}): string {
  if (!existsSync(inMemory)) return tmpdir();
  const { type, bavail, bsize } = statfsSync(inMemory);
  const freeBytes = Math.min(bavail * bsize, process.availableMemory());
  return type === tmpfs && freeBytes >= neededBytes ? inMemory : tmpdir();
}
