import type { Sample } from '../measurement.ts';
import { alignColumns, numberText, optionalText } from './columns.ts';
import { type Figure, medianOf } from './figure.ts';

const headingsOfEngine = ['req/s', 'ratio', 'p50/p99/p99.9 ms', 'CPU', 'DB CPU', 'MiB', 'DB MiB', 'failures'];

/** A table for each size of the directory. */
export function formatMatrix(figures: readonly Figure[]): string[] {
  const sizes = [...new Set(figures.map(({ users }) => users))];
  return sizes.flatMap((size) => [
    ...(size === null ? [] : ['', `${size.toLocaleString('en')} users`]),
    ...formatSize(figures.filter(({ users }) => users === size)),
  ]);
}

/** One line for each load, with the figures of the engines beside each other. */
function formatSize(figures: readonly Figure[]): string[] {
  const engines = [...new Set(figures.map(({ engine }) => engine))];
  const names = [...new Set(figures.map(({ name }) => name))];
  const cellsOf = (name: string) =>
    engines.flatMap((engine) => cells(figures.find((each) => each.engine === engine && each.name === name)));
  const titleOf = (name: string) => figures.find((each) => each.name === name);
  const headings = engines.flatMap((engine) => [`${engine} req/s`, ...headingsOfEngine.slice(1)]);
  return alignColumns([
    ['operation', 'compared to', ...headings],
    ...names.map((name) => [
      titleOf(name)?.title ?? '',
      titleOf(titleOf(name)?.comparedTo ?? '')?.title ?? '',
      ...cellsOf(name),
    ]),
  ]);
}

function cells(figure: Figure | undefined): string[] {
  if (figure === undefined) return headingsOfEngine.map(() => '');
  const { measured, ratio, rounds } = figure;
  const latencies = [
    medianOf(rounds.measured, ({ p50Ms }) => p50Ms),
    medianOf(rounds.measured, ({ p99Ms }) => p99Ms),
    medianOf(rounds.measured, ({ p999Ms }) => p999Ms),
  ];
  return [
    numberText(measured.median),
    numberText(ratio.median),
    latencies.map(optionalText).join('/'),
    ...ofProcesses(rounds.measured),
    String(rounds.measured.reduce((sum, { failures = 0 }) => sum + failures, 0)),
  ];
}

/** Shares of a core, and the memory of the server and of PostgreSQL. */
function ofProcesses(samples: readonly Sample[]): string[] {
  return [
    medianOf(samples, ({ cpuShare }) => cpuShare),
    medianOf(samples, ({ databaseCpuShare }) => databaseCpuShare),
    medianOf(samples, ({ residentBytes }) => residentBytes && residentBytes / 2 ** 20),
    medianOf(samples, ({ databaseBytes }) => databaseBytes && databaseBytes / 2 ** 20),
  ].map(optionalText);
}
