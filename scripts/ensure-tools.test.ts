import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { findChromium, findWholeBrowser } from '../e2e/find-chromium.ts';
import { ensureTools, type MissingTools } from './ensure-tools.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

test('nothing is missing if every program exists', () => {
  assert.deepEqual(ensureTools(), { problems: [], leftOut: [] });
});

test('a missing program is reported with its purpose and how to get it', (t) => {
  const { problems } = ensure({ PATH: temporaryFolder(t) });
  assert.match(problems.join('\n'), /^python3 is needed for .*; on Debian: sudo apt-get install python3$/m);
  assert.match(problems.join('\n'), /^openssl is needed for /m);
});

test('if nobody can be asked, root installs what is missing, and says so first', (t) => {
  if (process.getuid?.() !== 0) return t.diagnostic('NOT TESTED: only root installs packages');
  const { stderr } = ensure({ PATH: folderWithAptGet(t), CI: 'true' });
  assert.match(
    stderr,
    /^the tests need python3, openssl,[^\n]*FIELDROSTER_INSTALL_TOOLS=no[^\n]*\nran update -q\n/,
  );
  assert.match(stderr, /^ran install -q -y --no-install-recommends python3 openssl curl bash /m);
});

test('the lighter browser is installed where the distribution has it, and the whole one elsewhere', (t) => {
  if (process.getuid?.() !== 0) return t.diagnostic('NOT TESTED: only root installs packages');
  const installed = (has: boolean) => ensure({ PATH: folderWithAptGet(t, has), CI: 'true' }).stderr;
  assert.match(installed(true), /^ran install [^\n]* chromium-headless-shell /m);
  assert.match(installed(false), /^ran install [^\n]* chromium /m);
});

test('with FIELDROSTER_INSTALL_TOOLS=no nothing is installed, and the tests that do not run are listed', (t) => {
  const env = { PATH: folderWithAptGet(t), CI: 'true', FIELDROSTER_INSTALL_TOOLS: 'no' };
  const { problems, leftOut, stderr } = ensure(env);
  assert.deepEqual(problems, []);
  assert(leftOut.includes('packages/signing/src/vectors.test.ts'));
  assert.match(
    stderr,
    /^NOT TESTED: .*, packages\/signing\/src\/vectors\.test\.ts.*, because python3 is missing$/m,
  );
  assert.doesNotMatch(stderr, /^ran /m);
});

test('every test that is left out without a program exists', (t) => {
  const { leftOut } = ensure({ PATH: temporaryFolder(t), FIELDROSTER_INSTALL_TOOLS: 'no' });
  for (const file of leftOut) assert(existsSync(new URL(`../${file}`, import.meta.url)), file);
});

/** Looks for the programs in another environment. */
function ensure(env: NodeJS.ProcessEnv): MissingTools & { readonly stderr: string } {
  const script = new URL('./ensure-tools.ts', import.meta.url).href;
  const code = `import { ensureTools } from '${script}'; console.log(JSON.stringify(ensureTools()));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env,
    encoding: 'utf8',
  });
  return { ...JSON.parse(stdout), stderr };
}

/**
 * Creates a folder with a fake apt-get that only prints how it was run,
 * and an apt-cache that knows each package or none.
 */
function folderWithAptGet(t: TestContext, hasPackages = true): string {
  const folder = temporaryFolder(t, {
    'apt-get': '#!/bin/sh\necho "ran $*"\n',
    'apt-cache': `#!/bin/sh\n${hasPackages}\n`,
  });
  for (const name of ['apt-get', 'apt-cache']) chmodSync(join(folder, name), 0o755);
  return folder;
}

test('a wrong CHROMIUM_PATH counts as a missing browser, even if another one is installed', () => {
  assert.equal(findChromium({ ...process.env, CHROMIUM_PATH: '/nowhere/chromium' }), undefined);
});

test('a headless shell is preferred, but not to measure what people see', (t) => {
  const folder = temporaryFolder(t, { chromium: '', 'chromium-headless-shell': '' });
  for (const name of ['chromium', 'chromium-headless-shell']) chmodSync(join(folder, name), 0o755);
  assert.equal(findChromium({ PATH: folder }), join(folder, 'chromium-headless-shell'));
  assert.equal(findWholeBrowser({ PATH: folder }), join(folder, 'chromium'));
});
