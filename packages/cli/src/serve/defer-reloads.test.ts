import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCommand, temporaryFolder } from '../../test/run-command.ts';
import { watchServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();

test('a SIGHUP while the server reads its settings does not end the start', async (t) => {
  if (process.platform === 'win32') {
    t.diagnostic('NOT TESTED: Windows has no named pipes in folders');
    return;
  }
  const path = join(folder, 'settings.toml');
  execFileSync('mkfifo', [path]);
  const child = startCommand(['serve', '--config', path]);
  const starting = watchServe(child);
  // Opens as soon as the server opens the other end, and the server then waits for the text.
  const opened = open(path, 'w');
  await Promise.race([opened, starting]);
  const file = await opened;
  child.kill('SIGHUP');
  const settings = ['port = 0', 'log-level = "silent"', `data = ${JSON.stringify(join(folder, 'data'))}`];
  await file.writeFile(`${settings.join('\n')}\n`);
  await file.close();
  const server = await starting;
  assert.equal(await server.stop(), 0);
});
