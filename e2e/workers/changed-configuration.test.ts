import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { listWorkers, untilWorkers } from './worker-pids.ts';

test('until a reload, a worker that dies is replaced by one with the settings of the others, whatever the file says', async (t) => {
  const directory = await provisionDirectory(1);
  const file = join(directory.folder, 'fieldroster.toml');
  const write = (lines: string) => writeFileSync(file, `workers = 2\n${lines}\n`);
  write('replay = "nonce"');
  const server = await ServerProcess.start(directory, '--config', file);
  t.after(() => server.kill());
  const started = (replay: string) => server.output.split(`"replay":"${replay}"`).length - 1;
  const replaceOne = async () => {
    const [killed = 0, other = 0] = listWorkers(server.pid);
    const before = server.timesListening;
    process.kill(killed, 'SIGKILL');
    await server.until(() => server.timesListening > before || server.output.includes('did not start'));
    assert.ok(listWorkers(server.pid).includes(other));
  };

  await server.until(() => started('nonce') === 2);
  write('replay = "off"');
  await replaceOne();
  assert.equal(started('nonce'), 3, 'a change waits for a reload');

  write('replay = "nonce"\nrate-limt = 5');
  server.signal('SIGHUP');
  await server.until(() => server.output.includes('the workers were not replaced'));
  await replaceOne();
  assert.equal(started('nonce'), 4, 'a reload that was refused changes nothing');

  write('replay = "off"');
  const old = listWorkers(server.pid);
  server.signal('SIGHUP');
  await untilWorkers(server.pid, 2, old);
  await server.until(() => started('off') === 2);
  write('replay = "nonce"');
  await replaceOne();
  assert.equal(started('off'), 3, 'after a reload, its settings are the ones that stay');
  assert.equal(await server.stop(), 0);
  await directory.remove();
});
