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

/** Name of the picture that the page on the benchmark shows. */
export const shownPicture = 'latest.svg';

/**
 * Writes `<date>.json` and its picture; returns their paths.
 *
 * @param isWhole whether the run left nothing out, and its picture may be the one that is shown
 */
export function writeResults(
  folder: string,
  circumstances: Circumstances,
  figures: readonly Figure[],
  isWhole: boolean,
): string[] {
  mkdirSync(folder, { recursive: true });
  const { date, commit, processor } = circumstances;
  const base = join(folder, date.replaceAll(':', '').slice(0, 'YYYY-MM-DDThhmm'.length));
  const picture = isWhole ? join(folder, shownPicture) : `${base}.svg`;
  writeFileSync(`${base}.json`, `${JSON.stringify(toResults(circumstances, figures), undefined, 2)}\n`);
  const caption = `Ratios at ${commit} on ${processor}, ${date.slice(0, 10)}`;
  writeFileSync(picture, plotRatios(figures.filter(isPlotted), caption));
  return [`${base}.json`, picture];
}

/** The matrix has its own table, and the steps are shares of something small. */
function isPlotted({ engine, name }: Figure): boolean {
  return engine === null && !name.startsWith('step-');
}

/** Lists of short values as one text each: the formatter of the project would lay them out in another way. */
function toResults(circumstances: Circumstances, figures: readonly Figure[]) {
  const { loadAverage, notes } = circumstances;
  return {
    circumstances: { ...circumstances, loadAverage: loadAverage.join(' '), notes: notes.join(' ') },
    figures,
  };
}
