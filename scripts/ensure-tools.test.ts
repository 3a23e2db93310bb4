import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { findChromium } from '../e2e/browser.ts';
import { ensureTools } from './ensure-tools.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

test('nothing is missing where every program is there', () => {
  assert.deepEqual(ensureTools(), []);
});

test('a missing program is named with what it is for and how to get it', (t) => {
  const script = new URL('./ensure-tools.ts', import.meta.url).href;
  const code = `import { ensureTools } from '${script}'; console.log(ensureTools().join('\\n'));`;
  const env = { PATH: temporaryFolder(t) };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env,
    encoding: 'utf8',
  });
  assert.match(stdout, /^python3 is needed for .*; on Debian: sudo apt-get install python3$/m);
  assert.match(stdout, /^openssl is needed for /m);
});

test('a browser that CHROMIUM_PATH names wrongly is missing, whatever else is installed', () => {
  assert.equal(findChromium({ ...process.env, CHROMIUM_PATH: '/nowhere/chromium' }), undefined);
});
