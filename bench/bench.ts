import { mkdtempDisposableSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cores, chooseCores } from './process/pinned.ts';

/** The resources of a run or of one of its rows. Disposing of them stops everything that was started on them. */
export interface Bench extends AsyncDisposable {
  readonly cores: Cores;
  /** Sentences for the reader of the figures about how they were measured. */
  readonly notes: string[];
  /** Makes an empty folder, which is removed at the end. */
  newFolder(): string;
  /** Calls the function when the bench is disposed of. Later ones are called first. */
  atEnd(stop: () => unknown): void;
  /** Starts something for the whole run; later callers with the same key get the same thing. */
  keep<Thing>(key: string, start: (run: Bench) => Promise<Thing>): Promise<Thing>;
}

/** Opens what the rows of a run share. Its folder is removed even when the process is interrupted. */
export function openRun(): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const kept = new Map<string, Promise<unknown>>();
  const run: Bench = {
    ...openEnds(folder),
    cores: chooseCores(),
    notes: [],
    keep<Thing>(key: string, start: (run: Bench) => Promise<Thing>) {
      const thing = kept.get(key) ?? start(run);
      kept.set(key, thing);
      return thing as Promise<Thing>;
    },
  };
  return run;
}

/** Opens a bench for one row, or for a part of it. */
export function openPart(bench: Bench): Bench {
  return { ...bench, ...openEnds(bench.newFolder()) };
}

function openEnds(folder: string) {
  const ends = new AsyncDisposableStack();
  return {
    // Not only with the run's folder: a large directory takes gigabytes.
    newFolder: () => ends.use(mkdtempDisposableSync(join(folder, 'part-'))).path,
    atEnd: (stop: () => unknown) => ends.defer(async () => void (await stop())),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}
