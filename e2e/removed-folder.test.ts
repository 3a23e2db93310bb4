import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectResult, fieldrosterCommand } from './fieldroster-command.ts';

for (const words of [
  ['serve', '--port', '0'],
  ['app', 'list'],
]) {
  test(`${words[0]} started in a folder that has been removed says so in one line`, async () => {
    const { program, args, options } = fieldrosterCommand(words);
    const script = ['-c', 'rmdir "$PWD" && exec "$0" "$@"', program, ...args];
    const cwd = mkdtempSync(join(tmpdir(), 'fieldroster-removed-'));
    const child = spawn('sh', script, { ...options, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    assert.deepEqual(await collectResult(child), {
      exitCode: 1,
      stdout: '',
      stderr:
        'fieldroster: the folder in which the command was started has been removed; go to another folder with cd, and start it again\n',
    });
  });
}
