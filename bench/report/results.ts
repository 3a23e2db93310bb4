import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Run } from '../open-bench.ts';
import type { Options } from '../options.ts';
import type { Figure } from './figure.ts';
import { plotRatios } from './plot.ts';

/** How the figures of a run were measured. */
export type Circumstances = ReturnType<typeof describeCircumstances>;

/** Describes the machine, the code and the options of a run. */
export function describeCircumstances(root: string, { cores, load, notes }: Run, options: Options) {
  return {
    date: new Date().toISOString(),
    commit: commitOf(root),
    comparedRevision: options.compare ?? null,
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    pinned: cores.server !== undefined,
    /** The load generator. */
    load: load.name,
    /** At the end of the run, over 1, 5 and 15 minutes. */
    loadAverage: loadavg().map((value) => Math.round(100 * value) / 100),
    notes,
    users: options.users,
    rounds: options.rounds,
    seconds: options.seconds,
  };
}

function commitOf(root: string): string {
  try {
    return execFileSync('git', ['-C', root, 'describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

/** Base name of the result that the repository keeps and README.md shows. */
const keptResult = 'latest';

/**
 * Writes the figures as JSON and their ratios as a picture, and returns both paths.
 *
 * @param isWhole whether the run measured every usual row, so that it replaces the kept result
 */
export function writeResults(
  folder: string,
  circumstances: Circumstances,
  figures: readonly Figure[],
  isWhole: boolean,
): string[] {
  mkdirSync(folder, { recursive: true });
  const { date, commit, processor, loadAverage, notes } = circumstances;
  const name = isWhole ? keptResult : date.replaceAll(':', '').slice(0, 'YYYY-MM-DDThhmm'.length);
  const [json, picture] = [join(folder, `${name}.json`), join(folder, `${name}.svg`)];
  // Lists are texts, because the project's formatter would change their layout.
  const asTexts = { loadAverage: loadAverage.join(' '), notes: notes.join(' ') };
  const results = { circumstances: { ...circumstances, ...asTexts }, figures };
  writeFileSync(json, `${JSON.stringify(results, undefined, 2)}\n`);
  const caption = `Ratios at ${commit} on ${processor}, ${date.slice(0, 10)}`;
  writeFileSync(picture, plotRatios(figures, caption));
  return [json, picture];
}
