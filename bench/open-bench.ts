import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBenchPostgres } from './directory/bench-postgres.ts';
import { seededDirectories } from './directory/seeded-directories.ts';
import { chooseLoad } from './load/load-generators.ts';
import type { Bench, BenchPostgres, Run } from './measurement.ts';
import { chooseCores } from './process/pinned.ts';

/** Opens what the scenarios of a run share. At the latest, it ends with the process. */
export function openRun(): Run {
  const cores = chooseCores();
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const newFolder = () => mkdtempSync(join(folder, 'part-'));
  const notes: string[] = [];
  let opening: Promise<BenchPostgres> | undefined;
  const postgres = () => {
    opening ??= openBenchPostgres(cores.database, notes);
    return opening;
  };
  return {
    cores,
    load: chooseLoad(cores.load),
    newFolder,
    newDirectory: seededDirectories({ newFolder, postgres }),
    postgres,
    notes,
    [Symbol.asyncDispose]: async () => void (await (await opening)?.stop()),
  };
}

/** A bench for the rows of a group, or within it for one row, which keeps things for its group. */
export function openBench(outer: Run | Bench): Bench {
  const ends = new AsyncDisposableStack();
  const kept = new Map<string, Promise<unknown>>();
  const bench: Bench = {
    keep<Thing>(key: string, start: (group: Bench) => Promise<Thing>) {
      const thing = kept.get(key) ?? start(bench);
      kept.set(key, thing);
      return thing as Promise<Thing>;
    },
    ...outer,
    async newDirectory(subject, engine) {
      const directory = await outer.newDirectory(subject, engine);
      // A large one takes gigabytes.
      ends.defer(() => rmSync(directory.folder, { recursive: true, force: true }));
      return directory;
    },
    atEnd: (stop) => ends.defer(async () => void (await stop())),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
  return bench;
}
