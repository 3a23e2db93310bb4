import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system, small enough to be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk except for that many bytes. */
  fill(freeBytes: number): void;
  /** Frees the space again. */
  free(): void;
  makeReadOnly(): void;
  makeWritable(): void;
  remove(): void;
}

/** Mounts a disk in memory; `undefined` if this user may not. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-disk-'));
  try {
    const options = ['-o', `size=${megabytes}m,mode=1777`];
    execFileSync('mount', ['-t', 'tmpfs', ...options, 'fieldroster', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: (freeBytes) => fill(folder, ballast, freeBytes),
    free: () => rmSync(ballast, { force: true }),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
    makeWritable: () => void execFileSync('mount', ['-o', 'remount,rw', folder]),
    remove() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

const block = Buffer.alloc(4096);

function fill(folder: string, ballast: string, freeBytes: number): void {
  const file = openSync(ballast, 'a');
  for (;;) {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize <= freeBytes) break;
    writeSync(file, block);
  }
  closeSync(file);
}
