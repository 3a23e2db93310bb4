import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededDirectories } from './directory/seeded-directories.ts';
import { chooseLoad } from './load/choose-load.ts';
import type { Bench } from './measurement.ts';
import type { Options } from './options.ts';
import { chooseCores } from './process/pinned.ts';

/** Prepares what the scenarios of one run share. Its folders are removed when the process ends. */
export async function openBench({ users, load }: Options): Promise<Bench> {
  const cores = chooseCores();
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const newFolder = () => mkdtempSync(join(folder, 'part-'));
  const directories = new SeededDirectories(newFolder);
  return {
    cores,
    users,
    load: await chooseLoad(load, cores.load),
    newFolder,
    newDirectory: (subject) => directories.copy(subject),
  };
}
