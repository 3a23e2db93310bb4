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
  // A nested test runner would otherwise report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const cwd = temporaryFolder(t, files);
  return spawnSync(process.execPath, [script, ...chosen], { cwd, env, encoding: 'utf8' });
}
