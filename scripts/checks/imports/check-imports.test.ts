import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { checkImports, importsOf } from './check-imports.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('the imports of this repository go the right way', () => {
  assert.deepEqual(checkImports(root), []);
});

/** Forbidden imports, each with a file that must not have it. */
const wrong: readonly (readonly [file: string, specifier: string])[] = [
  ['signing/src/sign.ts', '@fieldroster/contract'],
  ['signing/src/sign.ts', 'node:crypto'],
  ['signing/src/crypto/portable.ts', 'node:crypto'],
  ['signing/src/sign.ts', '../../contract/src/limits.ts'],
  ['contract/src/limits.ts', '@fieldroster/signing'],
  ['contract/src/limits.ts', 'node:fs'],
  ['client/src/client.ts', '@fieldroster/server'],
  ['server/src/main.ts', '@fieldroster/client'],
  ['cli/src/commands/call.ts', '@fieldroster/server'],
  ['server/src/app.ts', './main.ts'],
  ['server/src/main.ts', './database/sqlite/open.ts'],
  ['server/src/app.ts', './admin/open-directory.ts'],
  ['server/src/pipeline.ts', './http/answers/envelope.ts'],
  ['server/src/pipeline/step.ts', '../http/answers/envelope.ts'],
  ['server/src/pipeline/step.ts', 'fastify'],
  ['server/src/operations/create-user.ts', '../http/answers/envelope.ts'],
  ['server/src/operations/create-user.ts', '../pipeline/call.ts'],
  ['server/src/operations/create-user.ts', '../database/queries/writes/write.ts'],
  ['server/src/operations/create-user.ts', 'kysely'],
  ['server/src/operations/create-user.ts', 'fastify'],
  ['server/src/directory/user-identity.ts', '../operations/handler.ts'],
  ['server/src/directory/user-identity.ts', '../database/sqlite/open.ts'],
  ['server/src/applications/credentials.ts', '../pipeline/call.ts'],
  ['server/src/http/health.ts', '../database/sqlite/open.ts'],
  ['server/src/http/health.ts', '../operations/create-user.ts'],
  ['server/src/admin/tenants.ts', '../database/sqlite/open.ts'],
  ['server/src/admin/tenants.ts', '../http/health.ts'],
  ['server/src/admin/open-directory.ts', '../http/health.ts'],
  ['server/src/database/database.ts', './queries/schema.ts'],
  ['server/src/database/queries/writes/write.ts', '../../sqlite/open.ts'],
  ['server/src/database/sqlite/open.ts', '../postgres/open.ts'],
  ['server/src/database/sqlite/open.ts', '../../operations/handler.ts'],
  ['server/src/config.ts', './app.ts'],
  ['server/src/directory/present-user.ts', '../../test/test-server.ts'],
  ['server/src/somewhere-new.ts', 'node:fs'],
  ['server/src/workers/messages.ts', '../database/sqlite/open.ts'],
  ['server/src/config.ts', './database/postgres/open.ts'],
];

describe('the check finds', () => {
  for (const [file, specifier] of wrong) {
    test(`${specifier} in ${file}`, (t) => {
      const text = `import {\n  something,\n} from '${specifier}';\n`;
      const folder = temporaryFolder(t, { [`packages/${file}`]: text });
      const problems = checkImports(folder);
      assert.ok(problems.length > 0);
      assert.match(problems.join('\n'), new RegExp(`^packages/${file}: `));
    });
  }

  test('a module that is loaded by a computed name', (t) => {
    const text = 'const name = process.argv[2];\nexport const loaded = await import(name);\n';
    assert.equal(checkImports(temporaryFolder(t, { 'packages/cli/src/load.ts': text })).length, 1);
  });
});

test('every form of import is read, and comments are not', () => {
  const source = `import a from 'a';
import 'b';
import type { C } from 'c';
export * from 'd';
export {
  e,
} from 'e';
const f = await import('f');
export const text = 'no import from here';
// import g from 'g';
/**
 * import h from 'h';
 */
`;
  assert.deepEqual(importsOf(source), ['a', 'b', 'c', 'd', 'e', 'f']);
});

test('files that import each other in a circle are found, and imports of types count', (t) => {
  const folder = temporaryFolder(t, {
    'packages/server/src/directory/a.ts': "import { b } from './b.ts';\n",
    'packages/server/src/directory/b.ts': "export type { C } from './c.ts';\n",
    'packages/server/src/directory/c.ts': "import type { A } from './a.ts';\nimport './d.ts';\n",
    'packages/server/src/directory/d.ts': '',
  });

  test('a circle is found outside the packages too', (t) => {
    const files = {
      'bench/a.ts': "import { b } from './b.ts';\n",
      'bench/b.ts': "import type { A } from './a.ts';\n",
    };
    const [problem] = checkImports(temporaryFolder(t, files));
    assert.equal(problem, 'bench/a.ts: is imported in a circle: bench/a.ts -> bench/b.ts -> bench/a.ts');
  });
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `packages/server/src/directory/${name}.ts`);
  assert.deepEqual(checkImports(folder), [`${a}: is imported in a circle: ${a} -> ${b} -> ${c} -> ${a}`]);
});

test('tests may import what they need', (t) => {
  const text = "import { openSqliteDatabase } from '../database/sqlite/open.ts';\n";
  assert.deepEqual(checkImports(temporaryFolder(t, { 'packages/server/src/directory/x.test.ts': text })), []);
});
