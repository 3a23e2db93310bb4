import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const data = join(temporaryFolder(), 'missing');

test('an empty argument, such as an unset variable leaves, is refused before anything is opened', async () => {
  for (const [words, expected] of [
    [['app', 'show', ''], 'the argument <appid> is empty; give it a value (APPID of the application)'],
    [['app', 'rotate', ' '], 'the argument <appid> is empty; '],
    [['app', 'revoke', ''], 'the argument <appid> is empty; '],
    [['app', 'update', '', '--suspend'], 'the argument <appid> is empty; '],
    [['operator', 'disable', ''], 'the argument <username> is empty; '],
    [['operator', 'reset', ''], 'the argument <username> is empty; '],
    [['store', 'import', ''], 'the argument <file> is empty; '],
    [['why', ''], 'the argument <request-id> is empty; '],
  ] as const) {
    const { exitCode, stdout, stderr } = await runCommand([...words, '--data', data]);
    assert.deepEqual([exitCode, stdout], [2, ''], words.join(' '));
    assert.ok(stderr.startsWith(`fieldroster: ${expected}`), stderr);
  }
  for (const words of [
    ['user', 'show', ''],
    ['user', 'import', ''],
    ['user', 'export', ''],
    ['user', 'delete', ''],
    ['backup', 'verify', ''],
  ]) {
    const { exitCode, stderr } = await runCommand(words);
    assert.equal(exitCode, 2, words.join(' '));
    assert.match(
      stderr,
      /^fieldroster: the argument [<[]\w+[>\]] is empty; give it a value (or leave it out )?\(/,
    );
  }
});
