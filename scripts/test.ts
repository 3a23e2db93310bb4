import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureTools } from './ensure-tools.ts';

// npm test                        everything
// npm test -- packages/signing    the tests below a folder, or of one file

const patterns = ['packages', 'scripts', 'e2e', 'examples', 'bench'].map(
  (folder) => `${folder}/**/*.test.ts`,
);

/** Two at least: most tests wait for a process, a disk or a socket now and then. */
const concurrency = Math.max(2, availableParallelism());

const timeoutMs = 4 * 60_000;

function findTestFiles(chosen: readonly string[]): string[] {
  const files = globSync(patterns, { exclude: (path) => path.endsWith('node_modules') }).sort();
  if (chosen.length === 0) return files;
  return files.filter((file) =>
    chosen.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`)),
  );
}

function runTests(files: readonly string[]): void {
  const stream = run({
    files: [...files],
    concurrency,
    timeout: timeoutMs,
    execArgv: ['--conditions=fieldroster-source'],
  });
  let tests = 0;
  stream.on('test:summary', ({ success, counts }) => {
    tests = Math.max(tests, counts.tests - counts.skipped - counts.todo);
    if (!success) process.exitCode = 1;
  });
  stream.on('end', () => {
    if (tests === 0) stop('no test ran');
  });
  stream.compose(spec).pipe(process.stdout);
}

function stop(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}

const missing = ensureTools();
const files = findTestFiles(process.argv.slice(2));
if (missing.length > 0) stop(missing.join('\n'));
else if (files.length === 0) stop('no test ran: there is no such test file');
else runTests(files);
