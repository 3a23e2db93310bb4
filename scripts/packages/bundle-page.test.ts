import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { bundlePage, pageScript } from './bundle-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the script of the page is one module with the signing library in its portable form', async () => {
  const { code, inputs } = await bundlePage(root);
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  assert.deepEqual(
    body.filter(({ type }) => type === 'ImportDeclaration'),
    [],
  );
  assert.doesNotMatch(code, /\bimport\(|\brequire\(/);
  for (const path of ['packages/signing/src/sign-request.ts', 'packages/signing/src/crypto/portable.ts']) {
    assert.ok(inputs.includes(path), path);
  }
  assert.deepEqual(
    inputs.filter((path) => /\.test\.|crypto\/node\./.test(path)),
    [],
  );
});

test('an import that no browser has is refused, and the message names it', async (t) => {
  const folder = temporaryFolder(t, { 'main.ts': "import { once } from 'node:events';\nonce();\n" });
  await assert.rejects(
    bundlePage(root, join(folder, 'main.ts')),
    /main\.ts:1: Could not resolve "node:events"/,
  );
});

test('the script is bundled once for the same sources, and again when one changes', async (t) => {
  const source = 'packages/signing/src/signature.ts';
  const before = temporaryFolder(t, { [source]: 'before', 'package-lock.json': '{}' });
  let bundles = 0;
  const bundle = async () => ({ code: `bundle ${++bundles}`, inputs: [] });
  assert.equal(await pageScript(before, bundle), 'bundle 1');
  assert.equal(await pageScript(before, bundle), 'bundle 1');
  writeFileSync(join(before, source), 'after');
  assert.equal(await pageScript(before, bundle), 'bundle 2');
});
