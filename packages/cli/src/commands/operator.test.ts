import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDirectory } from '@fieldroster/server/admin';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const data = temporaryFolder();
const run = (...words: string[]) => runCommand(['operator', ...words, '--data', data]);

test('an invitation prints a link to the console with its expiry', async () => {
  const { exitCode, stdout } = await run(
    'invite',
    '--role',
    'owner',
    '--console-url',
    'https://x.example/c/',
  );
  assert.equal(exitCode, 0);
  assert.match(stdout, /^https:\/\/x\.example\/c\/link#[\w-]{43}\nThe link works once, until 20/);
  const issued = JSON.parse((await run('invite', '--json')).stdout);
  assert.deepEqual(Object.keys(issued), ['link', 'expires_at']);
  assert.deepEqual(JSON.parse((await run('list', '--json')).stdout), [], 'a link is no operator yet');
});

test('an operator is listed, disabled, enabled and reset', async () => {
  const { database } = await openDirectory({ data, migrate: false });
  const mara = {
    username: 'mara',
    passwordHash: '',
    role: 'viewer',
    allTenants: true,
    tenantIds: [],
  } as const;
  await database.operators.write(undefined, async (operators) => ({ result: await operators.insert(mara) }));
  await database.close();
  const status = async () => JSON.parse((await run('list', '--json')).stdout)[0].status;
  assert.match(
    (await run('list')).stdout,
    /^ID {2}USERNAME {2}ROLE [^\n]+\n1 +mara +viewer +all +active +off +20/,
  );
  assert.equal((await run('disable', 'mara')).stdout, 'disabled mara\n');
  assert.equal(await status(), 'disabled');
  assert.deepEqual(JSON.parse((await run('enable', 'mara', '--json')).stdout), {
    username: 'mara',
    status: 'active',
  });
  assert.equal(await status(), 'active');
  assert.match((await run('reset', 'mara')).stdout, /^http:\/\/127\.0\.0\.1:8080\/console\/link#/);
});

test('an unknown operator, tenant or role is refused', async () => {
  const refused: readonly (readonly [number, readonly string[]])[] = [
    [1, ['reset', 'nobody']],
    [1, ['disable', 'nobody']],
    [1, ['enable', 'nobody']],
    [1, ['invite', '--tenant', 'nowhere']],
    [2, ['invite', '--role', 'king']],
  ];
  for (const [code, words] of refused) {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.deepEqual([exitCode, stdout], [code, ''], stderr);
    assert.match(stderr, /^fieldroster: [^\n]*(nobody|nowhere|king)[^\n]*\n$/);
  }
});
