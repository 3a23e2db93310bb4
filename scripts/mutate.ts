import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listFiles } from './list-files.ts';
import { explainedSurvivors } from './mutation/explained-survivors.ts';
import {
  listMutatedFiles,
  listOwnTests,
  listTests,
  type MutationRoom,
  mutationRooms,
} from './mutation/mutation-rooms.ts';
import { type MutationReport, summarize } from './mutation/summarize.ts';
import { installOnce } from './packages/install-once.ts';
import { linkDependencies } from './testing/link-dependencies.ts';

// npm run test:mutation                  changes the code of every room, one place at a time, and prints the score
// npm run test:mutation -- sqlite        one room; see scripts/mutation/mutation-rooms.ts
// npm run test:mutation -- sqlite packages/server/src/database/sqlite/connections/group-read.ts     one or more files of it
//
// --own-tests runs no tests but those with the files' names: much faster, and what only other tests notice survives.
// --with <path of a test>, as often as needed, runs these tests too; use it for files that have no test of their own.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'own-tests': { type: 'boolean', default: false },
    with: { type: 'string', multiple: true, default: [] },
  },
});
const [chosen, ...paths] = positionals;
const root = process.cwd();
const tester = join(root, 'mutation');

/**
 * Copies the checkout, because the tester edits files in place. Links dependencies, but copies our own
 * packages.
 */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'fieldroster-mutation-'));
  for (const file of listFiles(root)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  linkDependencies(root, copy);
  return copy;
}

function testsFor(room: MutationRoom, files: readonly string[]): string[] {
  const further = values.with.map(fromRoot);
  const tests = values['own-tests'] ? listOwnTests(files) : listTests(room, files);
  return [...new Set([...tests, ...further])];
}

function fromRoot(path: string): string {
  return relative(root, resolve(path));
}

function configurationOf(room: MutationRoom, files: readonly string[]): string {
  const flags = [
    '--conditions=fieldroster-source',
    '--test-reporter=tap',
    '-r',
    '{{hookFile}}',
    '{{testFile}}',
  ];
  return JSON.stringify({
    packageManager: 'npm',
    plugins: [join(tester, 'node_modules/@stryker-mutator/tap-runner/dist/src/index.js')],
    testRunner: 'tap',
    tap: {
      testFiles: testsFor(room, files),
      nodeArgs: flags,
      forceBail: true,
    },
    mutate: files,
    // These tests do not check the wording of messages or the spelling of SQL.
    mutator: { excludedMutations: ['StringLiteral', 'Regex'] },
    inPlace: true,
    allowConsoleColors: false,
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    disableTypeChecks: false,
    concurrency: Math.max(1, availableParallelism() - 1),
    timeoutMS: 10_000,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: 'mutation-report.json' },
  });
}

/** The tester runs `node` as the path finds it, in new processes that would each compile the same sources again. */
function environment(copy: string): NodeJS.ProcessEnv {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  return { ...process.env, PATH: path, NODE_COMPILE_CACHE: join(copy, 'node_modules/.compile-cache') };
}

function mutate(room: MutationRoom, files: readonly string[]): MutationReport {
  const copy = copyCheckout();
  try {
    writeFileSync(join(copy, 'stryker.config.json'), configurationOf(room, files));
    const command = join(tester, 'node_modules/@stryker-mutator/core/bin/stryker.js');
    const env = environment(copy);
    const { status } = spawnSync(process.execPath, [command, 'run'], { cwd: copy, env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`the mutation tester ended with ${status} for ${room.name}`);
    return JSON.parse(readFileSync(join(copy, 'mutation-report.json'), 'utf8')) as MutationReport;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const rooms = mutationRooms.filter(({ name }) => chosen === undefined || name === chosen);
if (rooms.length === 0) {
  console.error(
    `there is no room ${chosen}; choose one of ${mutationRooms.map(({ name }) => name).join(', ')}`,
  );
  process.exit(1);
}
installOnce(tester, 'the mutation tester');
for (const room of rooms) {
  const files = paths.length === 0 ? listMutatedFiles(room) : paths.map(fromRoot);
  console.log(summarize(room.name, mutate(room, files), explainedSurvivors));
}
