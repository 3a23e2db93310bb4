import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type OpenedPostgres, openBenchPostgres } from './directory/bench-postgres.ts';
import { SeededDirectories } from './directory/seeded-directories.ts';
import { chooseLoad } from './load/load-generators.ts';
import type { Bench } from './measurement.ts';
import type { Options } from './options.ts';
import { chooseCores } from './process/pinned.ts';

/** Opens what the scenarios of a run share. Its folders are removed when the process ends. */
export async function openBench(root: string, { users, load, directories: kept }: Options): Promise<Bench> {
  const cores = chooseCores();
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const newFolder = () => mkdtempSync(join(folder, 'part-'));
  const notes: string[] = [];
  let opening: Promise<OpenedPostgres> | undefined;
  const postgres = () => {
    opening ??= openNoted(cores.database, notes);
    return opening;
  };
  const directories = new SeededDirectories({
    newFolder,
    postgres,
    ...(kept !== undefined && { kept: { folder: resolve(kept), root } }),
  });
  const keep = new Keep();
  return {
    cores,
    users,
    load: await chooseLoad(load, cores.load),
    newFolder,
    newDirectory: (subject, engine = 'SQLite') => directories.copy(subject, engine),
    keep: (key, start, stop) => keep.get(key, start, stop),
    release: async () => {
      await keep.stopAll();
      directories.removeCopies();
    },
    postgres,
    notes,
    close: async () => void (await (await opening)?.stop()),
  };
}

async function openNoted(cores: string | undefined, notes: string[]): Promise<OpenedPostgres> {
  const postgres = await openBenchPostgres(cores);
  notes.push(`${postgres.description}.`);
  return postgres;
}

interface Kept {
  readonly thing: Promise<unknown>;
  readonly stop: (thing: unknown) => Promise<void>;
}

/** Holds what takes long to start and several scenarios share. */
export class Keep {
  readonly #kept = new Map<string, Kept>();

  get<Thing>(
    key: string,
    start: () => Promise<Thing>,
    stop: (thing: Thing) => Promise<void> = async () => {},
  ): Promise<Thing> {
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = { thing: start(), stop: stop as Kept['stop'] };
      this.#kept.set(key, kept);
    }
    return kept.thing as Promise<Thing>;
  }

  /** Stops the newest first, because it may use older ones. */
  async stopAll(): Promise<void> {
    const all = [...this.#kept.values()].reverse();
    this.#kept.clear();
    for (const { thing, stop } of all) await stop(await thing);
  }
}
