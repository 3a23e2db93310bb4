import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { choose } from './choose.ts';
import { openBench } from './open-bench.ts';
import { OptionError, type Options, readOptions, usage } from './options.ts';
import { describeCircumstances } from './report/circumstances.ts';
import { formatReport, hasFailures } from './report/report.ts';
import { writeResults } from './report/write-results.ts';
import { runBench } from './run-bench.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

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
// What stops PostgreSQL when a process ends would otherwise replace the exit code by 0.
process.exit(process.exitCode);

async function main(options: Options): Promise<void> {
  const chosen = choose(options);
  const bench = await openBench(root, options);
  const figures = await runBench(root, chosen, bench, options);
  const circumstances = describeCircumstances(root, bench, options);
  console.log(formatReport(figures, circumstances));
  console.log(
    writeResults(join(root, 'bench/results'), circumstances, figures, options.only.length === 0).join('\n'),
  );
  if (figures.some(hasFailures)) process.exitCode = 1;
  // After an error nothing is closed in order: what the run started ends with this process.
  await bench.close();
}
