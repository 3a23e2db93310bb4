import { join } from 'node:path';
import { openRun } from './bench.ts';
import { OptionError, type Options, readOptions, usage } from './options.ts';
import { isInstalled } from './process/pinned.ts';
import { formatReport } from './report/report.ts';
import { describeCircumstances, writeResults } from './report/results.ts';
import { runBench } from './run-bench.ts';
import { chooseScenarios } from './scenarios.ts';

const root = join(import.meta.dirname, '..');

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) console.log(usage);
  else await main(options);
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
// Exits itself: the package that stops PostgreSQL at the end of the process would set the exit code to 0.
process.exit(process.exitCode);

async function main(options: Options): Promise<void> {
  if (!isInstalled('wrk')) throw new OptionError('the benchmark needs wrk (apt-get install wrk)');
  const scenarios = chooseScenarios(options);
  await using run = openRun();
  const figures = await runBench(root, scenarios, run, options);
  const circumstances = describeCircumstances(root, run, options);
  console.log(formatReport(figures, circumstances));
  const isWhole = options.only.length === 0;
  console.log(writeResults(join(root, 'bench/results'), circumstances, figures, isWhole).join('\n'));
  if (figures.some(({ failures }) => failures > 0)) process.exitCode = 1;
}
