import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { plotRatios } from './plot.ts';

/** What a figure means only together with. */
export interface Circumstances {
  readonly date: string;
  readonly commit: string;
  readonly comparedRevision: string | null;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  readonly pinned: boolean;
  /** The load generator. */
  readonly load: string;
  /** Of the machine, at the end of the run, over 1, 5 and 15 minutes. */
  readonly loadAverage: readonly number[];
  readonly notes: readonly string[];
  readonly users: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** Writes `<date>.json` and its picture, `<date>.svg`; returns their paths. */
export function writeResults(
  folder: string,
  circumstances: Circumstances,
  figures: readonly Figure[],
): string[] {
  mkdirSync(folder, { recursive: true });
  const { date, commit, processor } = circumstances;
  const base = join(folder, date.replaceAll(':', '').slice(0, 'YYYY-MM-DDThhmm'.length));
  writeFileSync(`${base}.json`, `${JSON.stringify(toResults(circumstances, figures), undefined, 2)}\n`);
  writeFileSync(
    `${base}.svg`,
    plotRatios(figures, `Ratios at ${commit} on ${processor}, ${date.slice(0, 10)}`),
  );
  return [`${base}.json`, `${base}.svg`];
}

/** Lists of short values as one text each: the formatter of the project would lay them out in another way. */
function toResults(circumstances: Circumstances, figures: readonly Figure[]) {
  const { loadAverage, notes } = circumstances;
  return {
    circumstances: { ...circumstances, loadAverage: loadAverage.join(' '), notes: notes.join(' ') },
    figures,
  };
}
