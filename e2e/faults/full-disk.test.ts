import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { runFieldroster } from '../fieldroster-command.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Answer, SignedClient } from '../signed-client.ts';
import { mountSmallDisk } from './small-disk.ts';

const rounds = atScale({ bounded: 1, full: 5 });

/** Maximum number of users written until the disk is full. */
const usersMax = 20_000;

const notTested = 'NOT TESTED: this user may not mount a file system, which a full disk needs';

test('the doctor does not round up what is left of a disk', async (t) => {
  const disk = mountSmallDisk(64);
  if (disk === undefined) return t.diagnostic(notTested);
  const elsewhere = await provisionDirectory(1);
  try {
    cpSync(elsewhere.data, join(disk.folder, 'data'), { recursive: true });
    disk.fill(600 * 1024);
    const { stdout } = await runFieldroster('doctor', '--data', join(disk.folder, 'data'), '--quick');
    assert.match(stdout, /^error +disk space +0 MiB free in /m);
  } finally {
    disk.remove();
    await elsewhere.remove();
  }
});

test('on a full disk of the embedded database a write answers 1503 and changes nothing, and the server recovers once there is room', async (t) => {
  const disk = mountSmallDisk(64);
  if (disk === undefined) return t.diagnostic(notTested);
  const elsewhere = await provisionDirectory(10);
  const data = join(disk.folder, 'data');
  mkdirSync(data);
  cpSync(elsewhere.data, data, { recursive: true });
  const directory = { ...elsewhere, data, flags: ['--data', data] };
  let server = await ServerProcess.start(directory);
  let client = new SignedClient(server.url, directory.credentials);
  try {
    for (let round = 0; round < rounds; round++) {
      disk.fill(2 * 1024 * 1024);
      const { acknowledged, refused } = await writeUntilRefused(client, `full-${round}`);
      assertUnavailable(refused.answer);
      await untilReadyzIs(client, 503);
      assert.equal(
        (await client.call('GET', `/user?username=${acknowledged.at(-1)}`)).code,
        0,
        'reads go on',
      );
      disk.free();
      assert.equal(
        (await client.send(refused.call)).code,
        0,
        'it had not happened, and is not taken for a replay',
      );
      await untilReadyzIs(client, 200);
      client.close();
      await server.kill();
      assert.match(server.output, /"code":1503,[^\n]*BusyError: the database has no room left on its disk/);
      assert.deepEqual(server.errorLines, []);
      server = await ServerProcess.start(directory);
      client = new SignedClient(server.url, directory.credentials);
      for (const username of acknowledged) {
        assert.equal((await client.call('GET', `/user?username=${username}`)).code, 0, username);
      }
      t.diagnostic(`figure: ${acknowledged.length} users acknowledged before the disk was full, none lost`);
    }
  } finally {
    client.close();
    await server.kill();
    disk.remove();
    await elsewhere.remove();
  }
});

test('on a full disk of PostgreSQL a write answers 1503, the node stays ready and reads go on', async (t) => {
  const disk = mountSmallDisk(256);
  if (disk === undefined) return t.diagnostic(notTested);
  const postgres = await startPostgres({ folder: disk.folder });
  const directory = await provisionDirectory(10, await postgres.createMigratedDatabase());
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  try {
    await client.call('POST', '/user/stores', { username: 'before' });
    disk.fill(0);
    const { acknowledged, refused } = await writeUntilRefused(client, 'full');
    assertUnavailable(refused.answer);
    // Another node would have the same problem.
    await server.untilReady();
    assert.equal((await client.call('GET', '/user?username=before')).code, 0, 'reads go on');
    disk.free();
    assert.equal((await client.send(refused.call)).code, 0);
    // The server writes its log shortly after the answer.
    await server.until(() => server.output.includes('"code":1503'));
    assert.match(
      server.output,
      /"code":1503,[^\n]*could not carry out the statement:[^\n]*No space left on device/,
    );
    assert.deepEqual(server.errorLines, []);
    t.diagnostic(`figure: ${acknowledged.length} users acknowledged before the disk was full`);
  } finally {
    client.close();
    await server.kill();
    await directory.remove();
    await postgres.stop();
    disk.remove();
  }
});

async function writeUntilRefused(client: SignedClient, mark: string) {
  const acknowledged: string[] = [];
  for (let count = 0; count < usersMax; count++) {
    const username = `${mark}-${count}`;
    const call = client.sign('POST', '/user/stores', { username, ext_info: '界'.repeat(1_000) });
    const answer = await client.exchange(call);
    if (answer.envelope.code !== 0) return { acknowledged, refused: { call, answer } };
    acknowledged.push(username);
  }
  throw new Error(`${usersMax} users did not fill the disk`);
}

/** The state that `/readyz` reports is up to a second old. */
async function untilReadyzIs(client: SignedClient, status: number): Promise<void> {
  while ((await client.get('/readyz')).status !== status) await delay(50);
}

function assertUnavailable({ status, envelope, text }: Answer): void {
  assert.equal(status, 503, text);
  assert.equal(envelope.code, 1503, text);
}
