import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scenario } from './measurement.ts';
import { openBench } from './open-bench.ts';
import { OptionError, type Options, readOptions, usage } from './options.ts';
import { describeCircumstances } from './report/circumstances.ts';
import { formatTable } from './report/table.ts';
import { writeResults } from './report/write-results.ts';
import { runBench } from './run-bench.ts';
import { scenarios } from './scenarios.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) console.log(usage);
  else await main(options);
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}

async function main(options: Options): Promise<void> {
  const chosen = choose(options);
  const bench = await openBench(options);
  const figures = await runBench(root, chosen, bench, options);
  const circumstances = describeCircumstances(root, bench, options);
  console.log(formatTable(figures));
  console.log(writeResults(join(root, 'bench/results'), circumstances, figures).join('\n'));
}

function choose({ only, full }: Options): readonly Scenario[] {
  const unknown = only.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    throw new OptionError(
      `--only knows ${scenarios.map(({ name }) => name).join(', ')}; not ${unknown.join(', ')}`,
    );
  }
  if (only.length > 0) return scenarios.filter(({ name }) => only.includes(name));
  return scenarios.filter((scenario) => full || scenario.full !== true);
}
