import { type Figure, loadWasTheLimit, markIsMet, medianOf, type Spread } from './figure.ts';

const headings = [
  'measured',
  'compared to',
  'value',
  'reference',
  'ratio (range)',
  'per CPU second',
  'mark',
  'p50 ms',
  'p99 ms',
  'CPU',
  'failures',
];

const revisionHeadings = ['to revision (range)', 'per CPU second'];

/** The figures as one table of text, with a line below for each that is not to be trusted. */
export function formatTable(figures: readonly Figure[]): string {
  const compared = figures.some(({ ratioToRevision }) => ratioToRevision !== null);
  const rows = [
    compared ? [...headings, ...revisionHeadings] : headings,
    ...figures.map((figure) => (compared ? [...row(figure), ...revisionCells(figure)] : row(figure))),
  ];
  const notes = figures
    .filter(loadWasTheLimit)
    .map(
      ({ title }) => `${title}: the load generator was the limit of one side; the ratio is not the servers'.`,
    );
  return [...alignColumns(rows), ...notes].join('\n');
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const align = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
  return rows.map((cells) => cells.map(align).join('  ').trimEnd());
}

function revisionCells({ ratioToRevision, ratioToRevisionPerCpu }: Figure): string[] {
  return [ratio(ratioToRevision), ratio(ratioToRevisionPerCpu)];
}

function row(figure: Figure): string[] {
  const { title, comparedTo, unit, measured, reference, mark, better, failures, rounds } = figure;
  const sign = better === 'higher' ? '≥' : '≤';
  return [
    title,
    comparedTo,
    `${number(measured.median)} ${unit}`,
    `${number(reference.median)} ${unit}`,
    ratio(figure.ratio),
    ratio(figure.ratioPerCpu),
    mark === null ? '' : `${sign} ${mark} ${markIsMet(figure) ? 'met' : 'MISSED'}`,
    optional(medianOf(rounds.measured, ({ p50Ms }) => p50Ms)),
    optional(medianOf(rounds.measured, ({ p99Ms }) => p99Ms)),
    optional(medianOf(rounds.measured, ({ cpuShare }) => cpuShare)),
    String(failures),
  ];
}

function ratio(spread: Spread | null): string {
  if (spread === null) return '';
  const [median, min, max] = [spread.median, spread.min, spread.max].map((value) => number(value));
  return `${median} (${min}–${max})`;
}

function optional(value: number | undefined): string {
  return value === undefined ? '' : number(value);
}

/** Three digits that count, and no more than the figure carries. */
function number(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
