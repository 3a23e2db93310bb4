import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectResult, fieldrosterCommand } from './fieldroster-command.ts';

const said =
  'the folder in which the command was started has been removed; go to another folder with cd, and start it again';

for (const [words, messageIn] of [
  // The server writes its last line like those of its log.
  [['serve', '--port', '0'], ofLogLine],
  [['app', 'list'], (line: string) => line.replace(/^fieldroster: /, '')],
] as const) {
  test(`${words[0]} started in a folder that has been removed says so in one line`, async () => {
    const { program, args, options } = fieldrosterCommand([...words]);
    const script = ['-c', 'rmdir "$PWD" && exec "$0" "$@"', program, ...args];
    const cwd = mkdtempSync(join(tmpdir(), 'fieldroster-removed-'));
    const child = spawn('sh', script, { ...options, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const { exitCode, stdout, stderr } = await collectResult(child);
    assert.deepEqual([exitCode, stdout, messageIn(stderr)], [1, '', `${said}\n`]);
  });
}

/** Returns the message of a line that has nothing else to say. */
function ofLogLine(line: string): string {
  const { level, msg, time, pid, ...more } = JSON.parse(line);
  assert.deepEqual([level, typeof time, typeof pid, more], [60, 'number', 'number', {}]);
  return `${msg}\n`;
}
