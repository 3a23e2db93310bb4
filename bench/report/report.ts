import type { Sample } from '../measurement.ts';
import { busyParts, type Figure, markText, medianOf, numberText, type Spread } from './figure.ts';
import type { Circumstances } from './results.ts';

/** Formats the figures as a table, followed by warnings about single figures and by the circumstances of the run. */
export function formatReport(figures: readonly Figure[], circumstances: Circumstances): string {
  return [
    ...formatTable(figures),
    '',
    ...figures.flatMap(warningsOf),
    circumstances.notes,
    `Load average at the end: ${circumstances.loadAverage}.`,
  ].join('\n');
}

function warningsOf(figure: Figure): string[] {
  const { title, comparedTo, failures } = figure;
  const limits = busyParts(figure).map(
    (part) => `${part} was the limit of one side; see the ratio per CPU second.`,
  );
  const warnings = [...limits, ...(failures > 0 ? [`${failures} failures; do not use this figure.`] : [])];
  return warnings.map((warning) => `${title}, compared to ${comparedTo}: ${warning}`);
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
  { heading: 'failures', cell: ({ failures }) => String(failures) },
];

const revisionColumns: readonly Column[] = [
  { heading: 'to revision (range)', cell: ({ ratioToRevision }) => ratioText(ratioToRevision) },
  { heading: 'per CPU second', cell: ({ ratioToRevisionPerCpu }) => ratioText(ratioToRevisionPerCpu) },
];

/** Returns the median of the measured side. */
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
  const rows = [
    shown.map(({ heading }) => heading),
    ...figures.map((figure) => shown.map(({ cell }) => cell(figure))),
  ];
  const widths = shown.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
  return rows.map((cells) => cells.map(pad).join('  ').trimEnd());
}

function ratioText(spread: Spread | null): string {
  if (spread === null) return '';
  const [median, min, max] = [spread.median, spread.min, spread.max].map(numberText);
  return `${median} (${min}–${max})`;
}
