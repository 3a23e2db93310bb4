import type { Sample } from '../measurement.ts';
import {
  databaseWasTheLimit,
  type Figure,
  loadWasTheLimit,
  markText,
  medianOf,
  numberText,
  type Spread,
} from './figure.ts';
import type { Circumstances } from './results.ts';

/** The figures as a table, followed by warnings about single figures and by the circumstances of the run. */
export function formatReport(figures: readonly Figure[], circumstances: Circumstances): string {
  return [
    ...formatTable(figures),
    '',
    ...figures.filter(loadWasTheLimit).map(limitedBy('the load generator')),
    ...figures.filter(databaseWasTheLimit).map(limitedBy('the core of PostgreSQL')),
    ...figures
      .filter(hasFailures)
      .map((figure) => `${titleOf(figure)}: ${figure.failures} failures; do not use this figure.`),
    ...circumstances.notes,
    `Load average at the end: ${circumstances.loadAverage.join(', ')}.`,
  ].join('\n');
}

/** Whether requests failed, so that the figure does not show what it should. */
export function hasFailures({ failures }: Figure): boolean {
  return failures > 0;
}

function titleOf({ title, comparedTo }: Figure): string {
  return `${title}, compared to ${comparedTo}`;
}

function limitedBy(limit: string) {
  return (figure: Figure) =>
    `${titleOf(figure)}: ${limit} was the limit of one side; see the ratio per CPU second.`;
}

const headings = [
  ...['measured', 'compared to', 'value', 'reference', 'ratio (range)', 'per CPU second', 'mark'],
  ...['p50', 'p99', 'p99.9 ms', 'CPU', 'DB CPU', 'MiB', 'DB MiB', 'failures'],
];

const revisionHeadings = ['to revision (range)', 'per CPU second'];

function formatTable(figures: readonly Figure[]): string[] {
  const compared = figures.some(({ ratioToRevision }) => ratioToRevision !== null);
  return alignColumns([
    compared ? [...headings, ...revisionHeadings] : headings,
    ...figures.map((figure) => (compared ? [...row(figure), ...revisionCells(figure)] : row(figure))),
  ]);
}

function row(figure: Figure): string[] {
  const { title, comparedTo, unit, measured, reference, failures, rounds } = figure;
  return [
    title,
    comparedTo,
    `${numberText(measured.median)} ${unit}`,
    `${numberText(reference.median)} ${unit}`,
    ratioText(figure.ratio),
    ratioText(figure.ratioPerCpu),
    markText(figure),
    ...serverCells(rounds.measured),
    String(failures),
  ];
}

function revisionCells({ ratioToRevision, ratioToRevisionPerCpu }: Figure): string[] {
  return [ratioText(ratioToRevision), ratioText(ratioToRevisionPerCpu)];
}

const serverColumns: readonly ((sample: Sample) => number | undefined)[] = [
  ({ p50Ms }) => p50Ms,
  ({ p99Ms }) => p99Ms,
  ({ p999Ms }) => p999Ms,
  ({ cpuShare }) => cpuShare,
  ({ databaseCpuShare }) => databaseCpuShare,
  ({ anonymousBytes }) => anonymousBytes && anonymousBytes / 2 ** 20,
  ({ databaseBytes }) => databaseBytes && databaseBytes / 2 ** 20,
];

function serverCells(samples: readonly Sample[]): string[] {
  return serverColumns.map((pick) => {
    const median = medianOf(samples, pick);
    return median === undefined ? '' : numberText(median);
  });
}

function ratioText(spread: Spread | null): string {
  if (spread === null) return '';
  const [median, min, max] = [spread.median, spread.min, spread.max].map(numberText);
  return `${median} (${min}–${max})`;
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const align = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
  return rows.map((cells) => cells.map(align).join('  ').trimEnd());
}
