import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../test/run-command.ts';

const folder = temporaryFolder();
const elsewhere = join(folder, 'elsewhere');
mkdirSync(elsewhere);

test('a command that only reads or revokes creates no database in the wrong folder', async () => {
  const commands = [
    ['app', 'list', '--json'],
    ['app', 'rotate', 'fr0'],
    ['app', 'revoke', 'fr0'],
    ['tenant', 'list'],
    ['role', 'list'],
    ['org', 'list'],
    ['store', 'list'],
  ];
  for (const words of commands) {
    assert.deepEqual(await runCommand(words, { cwd: elsewhere }), {
      exitCode: 1,
      stdout: '',
      stderr: `fieldroster: there is no database in ${join(elsewhere, 'data')}; name its folder with --data or FIELDROSTER_DATA\n`,
    });
  }
  assert.deepEqual(readdirSync(elsewhere), []);
});

test('a command that prepares a first start creates the database, and names the folder once', async () => {
  writeFileSync(join(folder, 'roles.csv'), 'id,name\n1,One\n');
  const commands = [
    ['app', 'create', '--name', 'HR sync', '--json'],
    ['tenant', 'create', 'acme'],
    ['role', 'import', 'roles.csv'],
  ];
  for (const [index, words] of commands.entries()) {
    const data = join(folder, `new-${index}`);
    const options = { cwd: folder, env: { FIELDROSTER_DATA: data } };
    const first = await runCommand(words, options);
    assert.deepEqual(
      [first.exitCode, first.stderr],
      [
        0,
        `fieldroster: created a new database in ${data}; a server serves it with --data or FIELDROSTER_DATA\n`,
      ],
    );
    assert.notEqual(first.stdout, '');
    assert.equal((await runCommand(['tenant', 'list'], options)).stderr, '');
  }
});
