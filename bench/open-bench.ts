import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchPostgres, openBenchPostgres } from './directory/bench-postgres.ts';
import { seededDirectories } from './directory/seeded-directories.ts';
import { chooseLoad } from './load/load-generators.ts';
import { chooseCores } from './process/pinned.ts';

/** What the scenarios of a run share. */
export type Run = ReturnType<typeof openRun>;

/** The same for the rows of a group, or for one row. Disposing of it stops what was started on it. */
export interface Bench extends Run {
  /** Calls the function at the end, the newest first. */
  atEnd(stop: () => unknown): void;
  /** Starts something for the group; later callers with the same key get the same thing. */
  keep<Thing>(key: string, start: (group: Bench) => Promise<Thing>): Promise<Thing>;
}

/** Opens what the scenarios of a run share. At the latest, it ends with the process. */
export function openRun() {
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
    /** Makes an empty folder, which is removed at the end of the run. */
    newFolder,
    /** Copies a seeded directory with that many users. */
    newDirectory: seededDirectories(newFolder, postgres),
    /** The PostgreSQL of this run. The first call starts it. */
    postgres,
    /** Sentences for the reader of the figures about how they were measured. */
    notes,
    async [Symbol.asyncDispose]() {
      await (await opening)?.stop();
    },
  };
}

/** Opens a bench for a group of rows within a run, or for a row within its group. */
export function openBench(outer: Run | Bench): Bench {
  const ends = new AsyncDisposableStack();
  const kept = new Map<string, Promise<unknown>>();
  const bench: Bench = {
    keep<Thing>(key: string, start: (group: Bench) => Promise<Thing>) {
      const thing = kept.get(key) ?? start(bench);
      kept.set(key, thing);
      return thing as Promise<Thing>;
    },
    // A row keeps things in its group.
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
