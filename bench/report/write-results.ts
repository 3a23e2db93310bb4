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

/** Base name of the one result that the repository keeps, and that README.md shows. */
const keptResult = 'latest';

/**
 * Writes the figures as JSON and their ratios as a picture; returns both paths.
 *
 * @param isWhole whether the run measured every usual row: only then it replaces the kept result
 */
export function writeResults(
  folder: string,
  circumstances: Circumstances,
  figures: readonly Figure[],
  isWhole: boolean,
): string[] {
  mkdirSync(folder, { recursive: true });
  const { date, commit, processor } = circumstances;
  const base = join(
    folder,
    isWhole ? keptResult : date.replaceAll(':', '').slice(0, 'YYYY-MM-DDThhmm'.length),
  );
  const picture = `${base}.svg`;
  writeFileSync(`${base}.json`, `${JSON.stringify(toResults(circumstances, figures), undefined, 2)}\n`);
  const caption = `Ratios at ${commit} on ${processor}, ${date.slice(0, 10)}`;
  writeFileSync(picture, plotRatios(figures.filter(isPlotted), caption));
  return [`${base}.json`, picture];
}

/** The matrix of operations has a table of its own. */
function isPlotted({ engine }: Figure): boolean {
  return engine === null;
}

/** Writes short lists as text, because the project's formatter would lay them out differently. */
function toResults(circumstances: Circumstances, figures: readonly Figure[]) {
  const { loadAverage, notes } = circumstances;
  return {
    circumstances: { ...circumstances, loadAverage: loadAverage.join(' '), notes: notes.join(' ') },
    figures,
  };
}
