import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-apart-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'package.json'), '{"dependencies":{"absent":"file:absent.tgz"}}');
const program = join(folder, 'program.mjs');
writeFileSync(
  program,
  `import { testWithPackages } from ${JSON.stringify(new URL('./install-apart.ts', import.meta.url))};
testWithPackages('needs it', { cacheName: 'absent', folder: ${JSON.stringify(folder)} }, async () => {});`,
);

/** Runs a test whose package npm cannot install. */
function runTest(environment: NodeJS.ProcessEnv) {
  const { NODE_TEST_CONTEXT: _, FIELDROSTER_REQUIRE_TOOLCHAINS: __, ...inherited } = process.env;
  const env = { ...inherited, ...environment };
  return spawnSync(process.execPath, ['--conditions=fieldroster-source', program], { env, encoding: 'utf8' });
}

test('a test whose packages npm cannot install says so, and fails only where every toolchain is required', () => {
  const lenient = runTest({});
  assert.match(lenient.stdout, /NOT TESTED: needs it, because npm cannot install its packages: /);
  assert.equal(lenient.status, 0);
  const strict = runTest({ FIELDROSTER_REQUIRE_TOOLCHAINS: 'all' });
  assert.match(strict.stdout, /needs it, because npm cannot install its packages: /);
  assert.equal(strict.status, 1);
});
