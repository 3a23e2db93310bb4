import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './testing/temporary-folder.ts';

test('every check runs and is reported even after a failure, and the exit code is 1', (t) => {
  const cwd = temporaryFolder(t, {
    'package-lock.json': '{"packages":{}}',
    'site/package-lock.json': '{"packages":{}}',
    'ARCHITECTURE.md': '',
    'utils.ts': '',
  });
  const script = fileURLToPath(new URL('./check.ts', import.meta.url));
  const args = ['--conditions=fieldroster-source', script];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stdout, /^FAILED {2}format and lint \(/m);
  assert.match(stdout, /^FAILED {2}generated docs \(/m);
  assert.match(stdout, /^FAILED {2}house rules \(.*\n {8}utils.ts: .*\n {8}What to do: /m);
  assert.match(stdout, /^ok {6}lock files \(/m);
  const failed = [
    'format and lint',
    'types',
    'types of the reference page',
    'types of the console',
    'generated docs',
    'OpenAPI document',
    'generated client',
    'collections of the examples',
    'links and images of the site',
    'house rules',
    'packages to publish',
  ];
  assert.ok(stdout.endsWith(`\n11 of 16 checks failed: ${failed.join(', ')}\n`), stdout);
});
