import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { testEngineVariable } from '../packages/server/test/test-database-parts.ts';
import type { TestPostgres } from '../packages/server/test/test-postgres.ts';
import { ensureTools } from './ensure-tools.ts';
import { fullScale } from './testing/full-scale.ts';
import { groupTestFiles } from './testing/group-test-files.ts';
import { SlowestFiles } from './testing/slowest-files.ts';
import { testCommandVariable } from './testing/test-command-variable.ts';
import {
  filesAlone,
  filesInQuiet,
  foldersOfProcesses,
  foldersOnPostgres,
  foldersWithCommand,
  foldersWithPostgres,
  longFiles,
  onBothEngines,
} from './testing/test-lists.ts';

// npm test                        everything
// npm test -- packages/signing    the tests below a folder, or of one file
// npm run test:faults             the tests below e2e/faults at their full size, one file at a time
// npm run test:attack             the same for e2e/attack

const patterns = ['packages', 'scripts', 'e2e', 'bench'].map((folder) => `${folder}/**/*.test.ts`);

const cores = availableParallelism();
const groupsOfProcesses = 2 * cores;

/** Test files that start processes run beside the others, which keep the cores busy while those wait. */
const concurrency = fullScale ? 1 : groupsOfProcesses + cores;

/**
 * Applies to each test, each hook and the loading of each file, so that one that waits for ever is reported by its name.
 * At bounded size, a whole file takes less than two minutes on two busy cores. The variable is for tests of this script.
 */
const timeoutMs = Number(process.env.FIELDROSTER_TEST_TIMEOUT_MS ?? (fullScale ? 120 : 6) * 60_000);

/**
 * The tests start about a hundred processes. Without this cache, each would strip and compile the same sources again.
 */
const compileCache = resolve(import.meta.dirname, '../node_modules/.cache/node-compile-cache');

function findTestFiles(chosen: readonly string[]): string[] {
  const files = globSync(patterns, { exclude: (path) => path.endsWith('node_modules') }).sort();
  const long = longFiles.flatMap((path) => filesIn([path], files));
  const ordered = [...new Set([...long, ...files])];
  return chosen.length === 0 ? ordered : filesIn(chosen, ordered);
}

function filesIn(paths: readonly string[], files: readonly string[]): string[] {
  return files.filter((file) =>
    paths.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`)),
  );
}

async function runAll(files: readonly string[]): Promise<void> {
  // One folder per run, because a concurrent run has other modules.
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-tests-'));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  let postgres: TestPostgres | undefined;
  try {
    if (filesIn(foldersWithPostgres, files).length > 0) await initialisePostgres(join(folder, 'postgres'));
    if (filesIn(foldersOnPostgres, files).length > 0) postgres = await openPostgres();
    if (filesIn(foldersWithCommand, files).length > 0)
      process.env[testCommandVariable] ||= await buildCommand();
    // At full size, each file has the machine to itself anyway.
    const quiet = fullScale ? [] : filesIn(filesInQuiet, files);
    const others = files.filter((file) => !quiet.includes(file));
    await runParts(folder, [
      { modules: quiet, concurrency: 1 },
      { modules: toModules(others, folder), concurrency },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await postgres?.stop();
  }
}

// The functions below load their modules when needed, because loading these takes longer than most test files.

async function openPostgres(): Promise<TestPostgres> {
  const { openTestPostgres, testDatabaseVariable } = await import('../packages/server/test/test-postgres.ts');
  const postgres = await openTestPostgres({ durable: false });
  process.env[testDatabaseVariable] = postgres.url;
  return postgres;
}

async function buildCommand(): Promise<string> {
  const { buildTestCommand } = await import('./testing/build-test-command.ts');
  return buildTestCommand(resolve(import.meta.dirname, '..'));
}

async function initialisePostgres(folder: string): Promise<void> {
  const { initialisePostgresFiles, postgresFilesVariable } = await import(
    '../packages/server/test/test-postgres.ts'
  );
  if (process.env[postgresFilesVariable]) return;
  await initialisePostgresFiles(folder);
  process.env[postgresFilesVariable] = folder;
}

/** Returns the modules to run, one per process. */
function toModules(files: readonly string[], groupFolder: string): string[] {
  // At full size, each file has the machine to itself.
  if (fullScale) return [...files];
  const sharing = files.filter((file) => !filesAlone.includes(file));
  const ofProcesses = filesIn(foldersOfProcesses, sharing);
  const inProcess = sharing.filter((file) => !ofProcesses.includes(file));
  const group = (members: readonly string[], count: number, name: string, environment = {}) =>
    groupTestFiles(members, { count, name, folder: groupFolder, environment, timeoutMs });
  return [
    ...files.filter((file) => filesAlone.includes(file)),
    ...group(ofProcesses, groupsOfProcesses, 'processes'),
    ...group(inProcess, cores, 'in-process'),
    ...group(filesIn(onBothEngines, sharing), cores, 'postgres', { [testEngineVariable]: 'postgres' }),
  ];
}

interface Part {
  /** The modules to run, one per process. */
  readonly modules: readonly string[];
  readonly concurrency: number;
}

/** Runs the parts one after the other. */
async function runParts(groupFolder: string, parts: readonly Part[]): Promise<void> {
  const slowest = new SlowestFiles(groupFolder);
  let tests = 0;
  for (const part of parts) if (part.modules.length > 0) tests += await runPart(part, slowest);
  if (tests === 0) stop('no test ran');
  else process.stdout.write(`\n${slowest}`);
}

/** Returns how many tests ran. */
async function runPart({ modules, concurrency }: Part, slowest: SlowestFiles): Promise<number> {
  const stream = run({
    files: [...modules],
    concurrency,
    timeout: timeoutMs,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    execArgv: ['--conditions=fieldroster-source'],
  });
  slowest.follow(stream);
  let tests = 0;
  stream.on('test:summary', ({ success, counts }) => {
    tests = Math.max(tests, counts.tests - counts.skipped - counts.todo);
    if (!success) process.exitCode = 1;
  });
  for await (const text of stream.compose(spec)) process.stdout.write(text);
  return tests;
}

function stop(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}

const { problems, leftOut } = ensureTools();
const chosen = process.argv.slice(2);
const files = findTestFiles(chosen).filter((file) => !leftOut.includes(file));
if (problems.length > 0) stop(problems.join('\n'));
else if (files.length === 0) stop('no test ran: there is no such test file');
else {
  if (chosen.length === 0 && !fullScale)
    console.log(
      `${files.length} test files: about 25 minutes on two cores. npm test -- packages/signing runs one folder.`,
    );
  await runAll(files);
}
// The package that starts PostgreSQL would otherwise end the process with 0, even after failed tests.
process.exit();
