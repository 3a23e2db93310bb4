import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { describeOnEachEngine } from './each-engine.ts';
import { expectFieldroster } from './fieldroster-command.ts';
import type { Provisioned } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';

/** As docs/operating.md promises. */
const honouredWithinMs = 2_000;

/** On SQLite, nodes share a machine, so they are workers of one server. */
async function startNodes(directory: Provisioned): Promise<ServerProcess[]> {
  if (directory.database === undefined) return [await ServerProcess.start(directory, '--workers', '2')];
  return Promise.all([ServerProcess.start(directory), ServerProcess.start(directory)]);
}

describeOnEachEngine((provision) => {
  test('every process follows a change or revocation of an application within two seconds', async (t) => {
    const directory = await provision(3);
    const nodes = await startNodes(directory);
    // Several connections, so that every worker answers some.
    const clients = nodes.map(({ url }) => new SignedClient(url, directory.credentials, 16));
    t.after(async () => {
      for (const client of clients) client.close();
      for (const node of nodes) await node.kill();
      await directory.remove();
    });
    const codes = async (method: 'GET' | 'POST') => {
      const body = method === 'GET' ? undefined : { username: 'changed' };
      const target = method === 'GET' ? '/user?username=nobody' : '/user/stores';
      const sent = clients.flatMap((client) =>
        Array.from({ length: 16 }, () => client.call(method, target, body)),
      );
      return new Set((await Promise.all(sent)).map(({ code }) => code));
    };
    const update = async (method: 'GET' | 'POST', expected: number, ...flags: readonly string[]) => {
      await expectFieldroster('app', 'update', directory.credentials.appId, ...flags, ...directory.flags);
      for (const startMs = performance.now(); ; await delay(100)) {
        // A call that was sent in time may see the old state, and its answer may come late.
        const inTime = performance.now() - startMs < honouredWithinMs;
        const found = await codes(method);
        if (found.size === 1 && found.has(expected)) return;
        assert.ok(inTime, `${flags.join(' ')}: still ${[...found]} and not ${expected}`);
      }
    };
    assert.deepEqual([...(await codes('GET'))], [1101]);
    await update('GET', 1013, '--suspend');
    await update('GET', 1101, '--resume');
    await update('GET', 1016, '--allow-ip', '192.0.2.0/24');
    await update('GET', 1101, '--allow-ip', '127.0.0.0/8');
    await update('POST', 1016, '--scope', 'read');
    await update('GET', 1101, '--scope', 'write', '--expires-in', '1h');
    await update('GET', 1013, '--expires-in', '0');
    await update('GET', 1101, '--expires-in', 'none');
  });
});
