import type { Sample } from '../measurement.ts';
import { alignColumns, numberText, optionalText } from './columns.ts';
import { type Figure, markIsMet, medianOf, type Spread } from './figure.ts';

const headings = [
  'measured',
  'compared to',
  'value',
  'reference',
  'ratio (range)',
  'per CPU second',
  'mark',
  'p50',
  'p99',
  'p99.9 ms',
  'CPU',
  'DB CPU',
  'MiB',
  'failures',
];

const revisionHeadings = ['to revision (range)', 'per CPU second'];

/** One line for each figure that is no part of the matrix. */
export function formatTable(figures: readonly Figure[]): string[] {
  const compared = figures.some(({ ratioToRevision }) => ratioToRevision !== null);
  return alignColumns([
    compared ? [...headings, ...revisionHeadings] : headings,
    ...figures.map((figure) => (compared ? [...row(figure), ...revisionCells(figure)] : row(figure))),
  ]);
}

function revisionCells({ ratioToRevision, ratioToRevisionPerCpu }: Figure): string[] {
  return [ratio(ratioToRevision), ratio(ratioToRevisionPerCpu)];
}

function row(figure: Figure): string[] {
  const { title, comparedTo, unit, measured, reference, failures, rounds } = figure;
  return [
    title,
    comparedTo,
    `${numberText(measured.median)} ${unit}`,
    `${numberText(reference.median)} ${unit}`,
    ratio(figure.ratio),
    ratio(figure.ratioPerCpu),
    markText(figure),
    ...ofServer(rounds.measured),
    String(failures),
  ];
}

/** What is promised, of the ratio or in the unit of the value, and whether it was reached. */
export function markText(figure: Figure): string {
  const { mark, limit, unit, better } = figure;
  const sign = better === 'higher' ? '≥' : '≤';
  const promises = [mark === null ? [] : [`${mark}`], limit === null ? [] : [`${limit} ${unit}`]].flat();
  if (promises.length === 0) return '';
  const isMet = figure.failures === 0 && markIsMet(figure) === true;
  return `${promises.map((promise) => `${sign} ${promise}`).join(', ')} ${isMet ? 'met' : 'MISSED'}`;
}

function ofServer(samples: readonly Sample[]): string[] {
  const picks: ((sample: Sample) => number | undefined)[] = [
    ({ p50Ms }) => p50Ms,
    ({ p99Ms }) => p99Ms,
    ({ p999Ms }) => p999Ms,
    ({ cpuShare }) => cpuShare,
    ({ databaseCpuShare }) => databaseCpuShare,
    ({ residentBytes }) => residentBytes && residentBytes / 2 ** 20,
  ];
  return picks.map((pick) => optionalText(medianOf(samples, pick)));
}

function ratio(spread: Spread | null): string {
  if (spread === null) return '';
  const [median, min, max] = [spread.median, spread.min, spread.max].map((value) => numberText(value));
  return `${median} (${min}–${max})`;
}
