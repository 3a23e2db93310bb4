import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test, { type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './testing/temporary-folder.ts';

const script = fileURLToPath(new URL('./test.ts', import.meta.url));

const passing = "import test from 'node:test';\ntest('holds', () => {});\n";

const failing = "import test from 'node:test';\ntest('breaks', () => { throw new Error('broken'); });\n";

test('passing tests are counted, wherever they are, and the exit code is 0', (t) => {
  const files = ['packages/a/src/a.test.ts', 'scripts/b.test.ts', 'e2e/c.test.ts'];
  const { status, stdout } = run(t, Object.fromEntries(files.map((file) => [file, passing])));
  assert.equal(status, 0, stdout);
  assert.match(stdout, /tests 3\n/);
  assert.match(stdout, /pass 3\n/);
});

test('one failing test makes the exit code 1', (t) => {
  const { status, stdout } = run(t, { 'scripts/a.test.ts': passing, 'scripts/b.test.ts': failing });
  assert.equal(status, 1);
  assert.match(stdout, /fail 1\n/);
});

test('a test file that cannot be loaded makes the exit code 1', (t) => {
  assert.equal(
    run(t, { 'scripts/a.test.ts': passing, 'scripts/b.test.ts': 'import "./gone.ts";\n' }).status,
    1,
  );
});

test('files that share processes are loaded one after the other, each with its hooks', (t) => {
  const file = `import { after, test } from 'node:test';
globalThis.open ??= 0;
if (globalThis.open++ > 0) throw new Error('another file has not ended');
after(() => { globalThis.open--; });
test('holds', () => {});
`;
  const files = Array.from({ length: 12 }, (_, index) => [`packages/signing/src/${index}.test.ts`, file]);
  const { status, stdout } = run(t, Object.fromEntries(files));
  assert.equal(status, 0, stdout);
  assert.match(stdout, /pass 12\n/);
});

test('files that crash or cannot be loaded are named, and the other files of their process run', (t) => {
  const files = Array.from({ length: 12 }, (_, index) => [`packages/signing/src/${index}.test.ts`, passing]);
  const broken = {
    'packages/signing/src/3.test.ts': failing,
    'packages/signing/src/4.test.ts': 'import "./gone.ts";\n',
  };
  const { status, stdout } = run(t, { ...Object.fromEntries(files), ...broken });
  assert.equal(status, 1);
  assert.match(stdout, /pass 10\n/);
  assert.match(stdout, /✖ packages\/signing\/src\/3\.test\.ts/);
  assert.match(stdout, /✖ packages\/signing\/src\/4\.test\.ts/);
});

test('a test that waits for nothing that keeps its process alive is not lost, even if a package exits at the end', (t) => {
  // The package that starts PostgreSQL exits like this.
  const waiting = `import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
process.once('beforeExit', () => process.exit(0));
test('waits', () => delay(100, undefined, { ref: false }));
test('breaks', () => { throw new Error('broken'); });
`;
  const { status, stdout } = run(t, { 'packages/signing/src/a.test.ts': waiting });
  assert.equal(status, 1, stdout);
  assert.match(stdout, /fail 1\n/);
});

test('a test, a hook and a file that wait for ever are named, and the tests after them run', (t) => {
  const waiting = `import { before, describe, test } from 'node:test';
const forever = () => new Promise(() => {});
test('waits', forever);
describe('opens', () => {
  before(forever);
  test('needs it', () => {});
});
test('holds', () => {});
`;
  const { status, stdout } = runWithin(2_000, t, {
    'packages/signing/src/a.test.ts': waiting,
    'packages/signing/src/b.test.ts': 'await new Promise(() => {});\n',
    'packages/signing/src/c.test.ts': passing,
  });
  assert.equal(status, 1);
  assert.match(stdout, /✖ waits .*\n {2}'test timed out after 2000ms'/);
  assert.match(stdout, /✖ opens .*\n {2}'test timed out after 2000ms'/);
  assert.match(
    stdout,
    /✖ packages\/signing\/src\/b\.test\.ts .*\n {2}Error: loading the file takes too long/,
  );
  assert.match(stdout, /pass 2\n/);
});

test('a process that its tests keep alive is ended, and that makes the exit code 1', (t) => {
  const leaving = `${passing}setInterval(() => {}, 1_000);\n`;
  const { status, stdout } = runWithin(2_000, t, { 'packages/signing/src/a.test.ts': leaving });
  assert.equal(status, 1);
  assert.match(stdout, /the tests left resources that keep their process alive: .*Timeout/);
});

test('files that need quiet run before the others, and their failure makes the exit code 1', (t) => {
  const { status, stdout } = run(t, {
    'scripts/a.test.ts': passing,
    'scripts/b.test.ts': passing,
    'e2e/attack/frozen-loop.test.ts': failing,
  });
  assert.equal(status, 1);
  assert.match(stdout, /tests 1\n.*fail 1\n.*tests 2\n.*fail 0\n/s);
});

test('a run without test files makes the exit code 1', (t) => {
  const { status, stderr } = run(t, { 'scripts/a.ts': passing, 'node_modules/x/scripts/a.test.ts': passing });
  assert.equal(status, 1);
  assert.match(stderr, /no test ran/);
});

test('only the chosen folder runs, and choosing a missing one is an error', (t) => {
  const files = { 'packages/a/a.test.ts': passing, 'packages/ab/b.test.ts': failing };
  assert.equal(run(t, files, 'packages/a').status, 0);
  assert.equal(run(t, files, 'packages/ab/b.test.ts').status, 1);
  assert.equal(run(t, files, 'packages/c').status, 1);
});

function run(t: TestContext, files: Record<string, string>, ...chosen: readonly string[]) {
  return runWithin(undefined, t, files, ...chosen);
}

/** @param timeoutMs how long a test may take, if not as long as usual */
function runWithin(
  timeoutMs: number | undefined,
  t: TestContext,
  files: Record<string, string>,
  ...chosen: readonly string[]
) {
  // A nested test runner would otherwise report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
  const env = {
    ...outer,
    ...(timeoutMs !== undefined && { FIELDROSTER_TEST_TIMEOUT_MS: String(timeoutMs) }),
  };
  const cwd = temporaryFolder(t, files);
  const words = ['--conditions=fieldroster-source', script, ...chosen];
  return spawnSync(process.execPath, words, { cwd, env, encoding: 'utf8' });
}
