import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTestPostgres } from '../../../server/test/test-postgres.ts';
import { collect, runCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';
import { startAndStopInDraft } from '../../test/start-and-stop-in-draft.ts';

const folder = temporaryFolder();

/** Makes a directory with an application, whose secret is sealed under the key in the folder. */
async function makeSource(name: string): Promise<string> {
  const data = join(folder, name);
  const created = await runCommand(['app', 'create', '--name', 'x', '--data', data]);
  assert.equal(created.exitCode, 0, created.stderr);
  return data;
}

function refusal(pid: number | undefined, location: string, verb: string, origin: string): string {
  return (
    `fieldroster: process ${pid} on ${hostname()} runs on ${location}, and would not notice the master key that the ` +
    `${verb} brings: stop it, or wait three minutes if nothing runs there any more; then try again, and start the ` +
    `servers with the master key of the ${origin}\n`
  );
}

test('a copy into a folder that a server serves is refused and changes nothing, and succeeds once it is stopped and has the key of the source', async () => {
  const source = await makeSource('source');
  const served = join(folder, 'served');
  const server = await startServe(['--data', served]);
  const words = ['copy', '--from', source, '--to', served];
  const refused = await runCommand(words);
  const location = join(served, 'fieldroster.db');
  assert.deepEqual(
    [refused.exitCode, refused.stdout, refused.stderr],
    [1, '', refusal(server.child.pid, location, 'copy', 'source')],
  );
  const withFlag = await runCommand([...words, '--allow-running']);
  assert.deepEqual(withFlag, refused, 'the flag is about the source');
  assert.equal((await runCommand(['key', 'check', '--data', served])).exitCode, 0);
  assert.equal(await server.stop(), 0);
  const otherKey = await runCommand(words);
  assert.deepEqual([otherKey.exitCode, otherKey.stdout], [1, '']);
  assert.match(otherKey.stderr, /is not the one that the source was written under/);
  copyFileSync(join(source, 'master.key'), join(served, 'master.key'));
  const copied = await runCommand(words);
  assert.deepEqual([copied.exitCode, copied.stderr], [0, '']);
  assert.equal((await runCommand(['key', 'check', '--data', served])).exitCode, 0);
});

test('a server that starts while a restore fills its folder keeps its database, and the restore says that data is there', async (t) => {
  const source = await makeSource('backed up');
  const backup = join(folder, 'of the source.backup');
  await runCommand(['backup', '--to', backup, '--data', source]);
  const target = join(folder, 'started meanwhile');
  mkdirSync(target);
  const child = await startAndStopInDraft(['restore', '--from', backup, '--data', target]);
  t.after(() => child.kill('SIGKILL'));
  const ended = collect(child);
  const server = await startServe(['--data', target]);
  child.kill('SIGCONT');
  const { exitCode, stdout, stderr } = await ended;
  assert.deepEqual([exitCode, stdout], [1, '']);
  assert.ok(stderr.startsWith(`fieldroster: ${target} already holds data (fieldroster.db); `), stderr);
  assert.equal(await server.stop(), 0);
  assert.equal((await runCommand(['key', 'check', '--data', target])).exitCode, 0);
});

test('a copy and a restore into a PostgreSQL database that a server serves are refused and change nothing', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const database = await postgres.createDatabase();
  const { host, pathname } = new URL(database);
  const source = await makeSource('of PostgreSQL');
  const backup = join(folder, 'x.backup');
  assert.equal((await runCommand(['backup', '--to', backup, '--data', source])).exitCode, 0);
  const place = ['--data', join(folder, 'keys'), '--database', database];
  const server = await startServe(place);
  const copy = ['copy', '--from', source, '--to', database];
  const restore = ['restore', '--from', backup, '--data', source, '--database', database];
  for (const [words, verb, origin] of [
    [copy, 'copy', 'source'],
    [restore, 'restore', 'backup'],
  ] as const) {
    const refused = await runCommand(words);
    assert.deepEqual(
      [refused.exitCode, refused.stdout, refused.stderr],
      [1, '', refusal(server.child.pid, host + pathname, verb, origin)],
    );
  }
  assert.equal((await runCommand(['key', 'check', ...place])).exitCode, 0);
  assert.equal(await server.stop(), 0);
  const restored = await runCommand(restore);
  assert.deepEqual([restored.exitCode, restored.stderr], [0, '']);
});
