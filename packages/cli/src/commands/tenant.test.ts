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
    stderr: "fieldroster: a tenant 'acme' already exists; choose another name\n",
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
  for (const words of [['create'], ['create', 'a', '--name', 'b'], ['create', ' a'], ['create', '']]) {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.deepEqual([exitCode, stdout], [2, ''], stderr);
    assert.match(stderr, /^fieldroster: [^\n]+\n$/);
  }
});
