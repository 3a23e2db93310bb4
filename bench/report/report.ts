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

interface Column {
  readonly heading: string;
  readonly cell: (figure: Figure) => string;
}

const columns: readonly Column[] = [
  { heading: 'measured', cell: ({ title }) => title },
  { heading: 'compared to', cell: ({ comparedTo }) => comparedTo },
  { heading: 'value', cell: ({ measured, unit }) => `${numberText(measured.median)} ${unit}` },
  { heading: 'reference', cell: ({ reference, unit }) => `${numberText(reference.median)} ${unit}` },
  { heading: 'ratio (range)', cell: ({ ratio }) => ratioText(ratio) },
  { heading: 'per CPU second', cell: ({ ratioPerCpu }) => ratioText(ratioPerCpu) },
  { heading: 'mark', cell: markText },
  ofServer('p50', ({ p50Ms }) => p50Ms),
  ofServer('p99', ({ p99Ms }) => p99Ms),
  ofServer('p99.9 ms', ({ p999Ms }) => p999Ms),
  ofServer('CPU', ({ cpuShare }) => cpuShare),
  ofServer('DB CPU', ({ databaseCpuShare }) => databaseCpuShare),
  ofServer('MiB', ({ anonymousBytes }) => anonymousBytes && anonymousBytes / 2 ** 20),
  ofServer('DB MiB', ({ databaseBytes }) => databaseBytes && databaseBytes / 2 ** 20),
  { heading: 'failures', cell: ({ failures }) => String(failures) },
];

const revisionColumns: readonly Column[] = [
  { heading: 'to revision (range)', cell: ({ ratioToRevision }) => ratioText(ratioToRevision) },
  { heading: 'per CPU second', cell: ({ ratioToRevisionPerCpu }) => ratioText(ratioToRevisionPerCpu) },
];

/** The median of the measured side. */
function ofServer(heading: string, pick: (sample: Sample) => number | undefined): Column {
  const cell = ({ rounds }: Figure) => {
    const median = medianOf(rounds.measured, pick);
    return median === undefined ? '' : numberText(median);
  };
  return { heading, cell };
}

function formatTable(figures: readonly Figure[]): string[] {
  const compared = figures.some(({ ratioToRevision }) => ratioToRevision !== null);
  const shown = compared ? [...columns, ...revisionColumns] : columns;
  const headings = shown.map(({ heading }) => heading);
  return alignColumns([headings, ...figures.map((figure) => shown.map(({ cell }) => cell(figure)))]);
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
