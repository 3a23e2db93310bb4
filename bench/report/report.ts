import { databaseWasTheLimit, type Figure, loadWasTheLimit } from './figure.ts';
import { formatMatrix } from './matrix.ts';
import { formatTable } from './table.ts';
import type { Circumstances } from './write-results.ts';

/** The figures as text, with a line below for each that is not to be trusted, and how they came about. */
export function formatReport(figures: readonly Figure[], circumstances: Circumstances): string {
  const inTable = figures.filter(({ engine }) => engine === null);
  const inMatrix = figures.filter(({ engine }) => engine !== null);
  return [
    ...(inTable.length > 0 ? formatTable(inTable) : []),
    ...(inMatrix.length > 0 ? ['', ...formatMatrix(inMatrix)] : []),
    '',
    ...figures.filter(loadWasTheLimit).map(limitedBy('the load generator')),
    ...inTable.filter(databaseWasTheLimit).map(limitedBy('the core that PostgreSQL ran on')),
    ...figures.filter(hasFailures).map(tellFailures),
    ...circumstances.notes,
    `Load average at the end: ${circumstances.loadAverage.join(', ')}.`,
  ].join('\n');
}

/** Whether requests were answered otherwise than the measurement assumes. */
export function hasFailures({ failures }: Figure): boolean {
  return failures > 0;
}

function tellFailures(figure: Figure): string {
  return `${titleOf(figure)}: ${figure.failures} failures; the figure is not to be used.`;
}

function titleOf({ title, comparedTo, engine }: Figure): string {
  return `${title}, compared to ${comparedTo}${engine === null ? '' : ` on ${engine}`}`;
}

function limitedBy(limit: string) {
  return (figure: Figure) =>
    `${titleOf(figure)}: ${limit} was the limit of one side; see the ratio per CPU second.`;
}
