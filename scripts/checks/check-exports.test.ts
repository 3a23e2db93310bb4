import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { checkExports } from './check-exports.ts';

test('every export of this repository is used', () => {
  assert.deepEqual(checkExports(fileURLToPath(new URL('../../', import.meta.url))), []);
});

test('an export that no other file mentions is found, whatever it is', (t) => {
  const declarations = [
    'function a() {}',
    'async function b() {}',
    'const c = 1;',
    'class d {}',
    'enum e {}',
  ];
  const text = declarations.map((declaration) => `export ${declaration}\nvoid [a, b, c, d, e];\n`).join('');
  const root = temporaryFolder(t, { 'scripts/things.ts': text, 'scripts/other.ts': '// a, b, c, d and e\n' });
  assert.deepEqual(
    checkExports(root),
    [...'abcde'].map((name) => `scripts/things.ts: exports ${name}, which no other file mentions`),
  );
});

test('an export that another file imports or a package publishes is not reported', (t) => {
  const root = temporaryFolder(t, {
    'packages/x/package.json': '{ "exports": { ".": { "fieldroster-source": "./src/index.ts" } } }',
    'packages/x/src/index.ts': 'export const published = 1;\n',
    'packages/x/src/own.ts': 'export const used = 1;\n',
    'scripts/user.ts': "import { used } from '../packages/x/src/own.ts';\nvoid used;\n",
  });
  assert.deepEqual(checkExports(root), []);
});
