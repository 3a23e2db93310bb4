import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const data = temporaryFolder();
const run = (...words: string[]) => runCommand(['tenant', ...words, '--data', data]);

test('tenants are created once, by argument or flag, and listed', async () => {
  const { exitCode, stdout } = await run('create', 'acme', '--json');
  assert.equal(exitCode, 0);
  const made = JSON.parse(stdout);
  assert.deepEqual(Object.keys(made), ['id', 'name', 'created_at']);
  assert.equal((await run('create', '--name', 'Other GmbH')).stdout, "created the tenant 'Other GmbH'\n");
  assert.deepEqual(await run('create', 'acme'), {
    exitCode: 1,
    stdout: '',
    stderr: "fieldroster: the tenant 'acme' exists; choose another name\n",
  });
  const listed = JSON.parse((await run('list', '--json')).stdout);
  assert.deepEqual(listed[1], made);
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ['default', 'acme', 'Other GmbH'],
  );
  assert.match((await run('list')).stdout, /^ID {2}NAME {8}CREATED\n1 {3}default {5}20/);
});

test('a missing, ambiguous or invisible name is a usage error', async () => {
  const refused = [
    ['create', ' a'],
    ['create', ''],
    ['create', '\u202eabc'],
    ['create', 'ac\u200bme'],
    ['create', 'ac\u061cme'],
    ['create', 'ac\u2028me'],
  ];
  for (const words of [['create'], ['create', 'a', '--name', 'b'], ...refused]) {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.deepEqual([exitCode, stdout], [2, ''], stderr);
    assert.match(stderr, /^fieldroster: [^\n]+\n$/);
  }
});

test('a name that looks like that of a tenant, in other code points, is refused', async () => {
  assert.equal((await run('create', 'caf\u00e9')).exitCode, 0);
  const { exitCode, stderr } = await run('create', 'cafe\u0301');
  assert.equal(exitCode, 1);
  assert.match(stderr, /^fieldroster: the tenant 'caf\u00e9' exists and its name looks the same /);
});

test('the advice about a tenant that does not exist can be followed', async () => {
  const advice = {
    ACME: /no tenant 'ACME', but there is 'acme': names are compared exactly; list them with: fieldroster tenant list$/m,
    'other gmbh': /, but there is 'Other GmbH': /,
    '': /no tenant '': a tenant's name has 1 to 100 characters, .*; list them with: fieldroster tenant list$/m,
    "Ada's shop": /; create it with: fieldroster tenant create 'Ada'\\''s shop'$/m,
    '-x': /; create it with: fieldroster tenant create -- '-x'$/m,
    new: /; create it with: fieldroster tenant create new$/m,
  };
  for (const [tenant, expected] of Object.entries(advice)) {
    const { exitCode, stderr } = await runCommand(['app', 'list', `--tenant=${tenant}`, '--data', data]);
    assert.equal(exitCode, 1);
    assert.match(stderr, expected);
  }
});
