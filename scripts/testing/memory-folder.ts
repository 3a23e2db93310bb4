import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const prefix = 'fieldroster-tests-';
/** Far longer than a run makes no file. */
const keptMs = 60 * 60_000;

/** Twice what all tests have there together. */
const enoughBytes = 4 * 2 ** 30;

interface MemoryOptions {
  /** A folder on a file system in memory. */
  readonly parent?: string;
  /** How much must be free. */
  readonly neededBytes?: number;
}

/**
 * Makes a folder for temporary files in memory, where making a file takes a tenth of the processor time that it takes on
 * a disk. Each database that a test makes on PostgreSQL has some 300 files.
 *
 * @returns `undefined` if the system has no such place, if little memory is free, or if no program runs from there
 */
export function makeMemoryFolder(options: MemoryOptions = {}): string | undefined {
  const { parent = '/dev/shm', neededBytes = enoughBytes } = options;
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(parent);
    if (Math.min(bavail * bsize, process.availableMemory()) < neededBytes) return undefined;
    removeOldOnes(parent);
    folder = mkdtempSync(join(parent, prefix));
    // Other users may make files in it, as in the usual folder.
    chmodSync(folder, 0o1777);
    if (runsPrograms(folder)) return folder;
  } catch {
    // The tests only take longer without it.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true });
  return undefined;
}

/** Containers often mount this place so that no program runs from it. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** A run that was killed leaves its folder behind. */
function removeOldOnes(parent: string): void {
  const folders = readdirSync(parent).filter((name) => name.startsWith(prefix));
  for (const path of folders.map((name) => join(parent, name)))
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
}
