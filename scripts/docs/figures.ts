import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Figure {
  readonly name: string;
  readonly measured: { readonly median: number };
  readonly ratio: { readonly median: number };
}

interface BenchmarkResult {
  readonly circumstances: { readonly date: string; readonly cores: number };
  readonly figures: readonly Figure[];
}

/**
 * Returns the figures of the README, from the last complete benchmark run.
 *
 * @throws {TypeError} when the run lacks the row of a figure
 */
export function figureSentences(root: string): string {
  const { circumstances, figures } = readResult(root);
  const read = figureOf(figures, 'query-user');
  const [once, mixed] = [figureOf(figures, 'query-user-once'), figureOf(figures, 'reads-and-writes')];
  const write = figureOf(figures, 'bind-user-store');
  const day = circumstances.date.slice(0, 10);
  return `- **${roundedOf(read)} signed reads a second** (\`GET /user\`) when 20,000 of a million users are read again and again: ${read.ratio.median.toFixed(2)} of the rate
  of a bare \`node:http\` server with a constant answer. ${roundedOf(once)} when each user is read once; ${roundedOf(mixed)} calls when every tenth is a write.
- **${roundedOf(write)} signed writes a second** (\`POST /user/store\`): each is recorded, audited and on disk before it is answered.

One process on one core with the embedded database, on a machine with ${circumstances.cores} cores, on ${day}.`;
}

function readResult(root: string): BenchmarkResult {
  return JSON.parse(readFileSync(join(root, 'bench/results/latest.json'), 'utf8'));
}

function figureOf(figures: readonly Figure[], name: string): Figure {
  const figure = figures.find((candidate) => candidate.name === name);
  if (figure === undefined) throw new TypeError(`bench/results/latest.json has no row ${name}`);
  return figure;
}

/** Rounds to two digits, because further ones do not repeat in the next run. */
function roundedOf({ measured }: Figure): string {
  return Number(measured.median.toPrecision(2)).toLocaleString('en');
}
