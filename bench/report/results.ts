import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { Options } from '../options.ts';
import type { Figure } from './figure.ts';
import { plotRatios } from './plot.ts';

/** How the figures of a run were measured. */
export type Circumstances = ReturnType<typeof describeCircumstances>;

/** Describes the machine, the code and the options of a run. Lists are texts, because a formatter would change their layout. */
export function describeCircumstances(root: string, { cores, notes }: Bench, options: Options) {
  const git = ['-C', root, 'describe', '--always', '--dirty'];
  return {
    date: new Date().toISOString(),
    commit: spawnSync('git', git, { encoding: 'utf8' }).stdout?.trim() || 'unknown',
    comparedRevision: options.compare ?? null,
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    pinned: cores.server !== undefined,
    /** At the end of the run, over 1, 5 and 15 minutes. */
    loadAverage: loadavg()
      .map((value) => value.toFixed(2))
      .join(' '),
    notes: notes.join('\n'),
    users: options.users,
    rounds: options.rounds,
    seconds: options.seconds,
  };
}

/**
 * Writes the figures as JSON and their ratios as a picture, and returns both paths. A run of every usual row replaces
 * the result that the repository keeps and README.md shows.
 */
export function writeResults(
  folder: string,
  circumstances: Circumstances,
  figures: readonly Figure[],
  isWhole: boolean,
): string[] {
  const { date, commit, processor } = circumstances;
  const name = isWhole ? 'latest' : date.replaceAll(':', '').slice(0, 'YYYY-MM-DDThhmm'.length);
  const [json, picture] = [join(folder, `${name}.json`), join(folder, `${name}.svg`)];
  mkdirSync(folder, { recursive: true });
  writeFileSync(json, `${JSON.stringify({ circumstances, figures }, undefined, 2)}\n`);
  writeFileSync(picture, plotRatios(figures, `Ratios at ${commit} on ${processor}, ${date.slice(0, 10)}`));
  return [json, picture];
}
