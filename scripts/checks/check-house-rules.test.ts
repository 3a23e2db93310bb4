import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { checkHouseRules } from './check-house-rules.ts';

const broken: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'a file that does not say what it holds': ['packages/server/src/utils.ts', ''],
  'a folder that does not say what it holds': ['packages/server/src/common/read.ts', ''],
  'a master key': ['d1/master.key', 'key\n'],
  'a database': ['d1/fieldroster.db', ''],
  'a file of 301 lines': ['packages/server/src/long.ts', 'export {};\n'.repeat(301)],
  'the type any of a parameter': ['a.ts', 'function read(value: any) {}\n'],
  'the type any in a cast': ['a.ts', 'const value = read() as any;\n'],
  'the type any in a type argument': ['a.ts', 'const values: Map<string, any> = new Map();\n'],
  'a silenced compiler': ['a.ts', '// @ts-expect-error\nread(1);\n'],
  'a silenced linter': ['a.ts', '// biome-ignore lint: later\nread(1);\n'],
  'work left for later': ['a.ts', '// TODO: read\n'],
  'a skipped test': ['a.test.ts', "test.skip('reads', () => {});\n"],
  'a test that skips itself': ['e2e/a.ts', "test('reads', (context) => context.skip('no Java'));\n"],
  'a test that is skipped by an option': ['a.test.ts', "test('reads', { skip: true }, () => {});\n"],
  'a test that is skipped by an option in a line of its own': [
    'a.test.ts',
    "test('reads', {\n  skip: true,\n}, () => {});\n",
  ],
  'a test that runs alone': ['a.test.ts', "test.only('reads', () => {});\n"],
  'a statement that selects every column': [
    'packages/server/src/database/queries/read.ts',
    "db.selectFrom('user').selectAll().execute();\n",
  ],
  'a path of one machine': ['a.md', 'Look into /home/somebody/notes.\n'],
  'a path of one Windows machine': ['a.md', 'Look into C:\\Users\\somebody.\n'],
  'a folder outside of the project': ['a.md', 'Look into ../shared/notes.md.\n'],
};

describe('the check finds', () => {
  for (const [what, [path, text]] of Object.entries(broken)) {
    test(what, (t) => {
      const problems = checkHouseRules(temporaryFolder(t, { [path]: text }));
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.ok(problems[0]?.startsWith(path));
    });
  }
});

test('the check ignores what only looks similar', (t) => {
  const folder = temporaryFolder(t, {
    'a.ts':
      "/** Any of them; skip: any, or none. */\nconst many = 'any of them: any';\nexport const todo = many;\n",
    'long.test.ts': 'export {};\n'.repeat(400),
    'exactly.ts': 'export {};\n'.repeat(300),
    'a.md': 'GET /users/1, https://example.com/home/page, ./work/in/progress\n',
    'node_modules/x/utils.js': '// TODO\n',
  });
  assert.deepEqual(checkHouseRules(folder), []);
});
