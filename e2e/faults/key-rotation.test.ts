import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { issueApplication } from '@fieldroster/server/admin';
import { namedKeyId } from '../../packages/server/src/database/database.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine, type Provision } from '../each-engine.ts';
import {
  collectResult,
  expectFieldroster,
  runFieldroster,
  spawnFieldroster,
} from '../fieldroster-command.ts';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { KeepAliveLoad } from './keep-alive-load.ts';

const kills = atScale({ bounded: 2, full: 20 });
const clients = atScale({ bounded: 3, full: 8 });
const pauseMsMax = atScale({ bounded: 100, full: 20 });

/** Enough secrets for several batches. */
const applications = atScale({ bounded: 150, full: 500 });

/** Lines of the rotation after which it is killed; a number is a time in milliseconds instead. */
const stages = [/the new key is/, /are sealed under/, /sealed \d+ of/] as const;

interface KeysJson {
  readonly current_key_id: string;
  readonly sealed_values: readonly {
    readonly key_id: string;
    readonly values: number;
    readonly opened: number;
  }[];
  readonly processes: readonly { readonly pid: number; readonly key_ids: readonly string[] }[];
}

async function checkKeys({ flags }: Provisioned): Promise<KeysJson> {
  return JSON.parse(await expectFieldroster('key', 'check', '--json', ...flags));
}

async function provisionFor(t: TestContext, provision: Provision): Promise<Provisioned> {
  const directory = await provision(1);
  t.after(() => directory.remove());
  return directory;
}

async function startServer(
  t: TestContext,
  ...start: Parameters<typeof ServerProcess.start>
): Promise<ServerProcess> {
  const server = await ServerProcess.start(...start);
  t.after(() => server.kill());
  return server;
}

function startLoad(
  t: TestContext,
  { credentials }: Provisioned,
  { port, pid }: ServerProcess,
): KeepAliveLoad {
  const load = KeepAliveLoad.start({ port, credentials, clients, mark: `client-${pid}`, pauseMsMax });
  t.after(() => load.stop());
  return load;
}

async function stopLoads(loads: readonly KeepAliveLoad[]): Promise<number> {
  await Promise.all(loads.map((load) => load.stop()));
  for (const load of loads) assert.equal(load.failures.length, 0, load.summary);
  return loads.reduce((sum, { answered }) => sum + answered, 0);
}

function untilPrinted(server: ServerProcess, line: RegExp): Promise<void> {
  return server.until(() => line.test(server.output));
}

describeOnEachEngine((provision) => {
  test('a rotation fails no request on two nodes, one of them with workers', async (t) => {
    const directory = await provisionFor(t, provision);
    const servers = [
      await startServer(t, directory, '--log-level', 'info'),
      await startServer(t, directory, '--workers', '2', '--log-level', 'info'),
    ] as const;
    const loads = servers.map((server) => startLoad(t, directory, server));
    for (const load of loads) await load.untilMore(clients * 5);
    const { key_id, values } = JSON.parse(
      await expectFieldroster('key', 'rotate', '--json', ...directory.flags),
    );
    const { processes, sealed_values } = await checkKeys(directory);
    assert.equal(processes.length, 3, 'a server and two workers');
    for (const { key_ids } of processes) assert.ok(key_ids.length === 2 && key_ids.includes(key_id));
    assert.deepEqual(sealed_values, [{ key_id, values, unnamed: 0, opened: values }]);
    await expectFieldroster('key', 'rotate', '--finish', ...directory.flags);
    const issued = await expectFieldroster('app', 'create', '--name', 'new', '--json', ...directory.flags);
    for (const load of loads) await load.untilMore(clients * 5);
    for (const server of servers) {
      await untilPrinted(server, /the master keys were read again/);
      const { app_id: appId, app_secret: appSecret } = JSON.parse(issued);
      const client = new SignedClient(server.url, { appId, appSecret });
      let code: number | undefined;
      while (code !== 1101) {
        ({ code } = await client.call('GET', '/user?username=nobody'));
        assert.ok(
          code === 1101 || code === 1013,
          'the new application, which the node learns of in a moment',
        );
        await delay(50);
      }
      client.close();
    }
    t.diagnostic(`figure: 0 of ${await stopLoads(loads)} requests failed during a rotation`);
    for (const server of servers) assert.deepEqual([server.errorLines, await server.stop()], [[], 0]);
    await (await startServer(t, directory)).stop();
    assert.deepEqual((await checkKeys(directory)).processes, [], 'stopped processes take back their reports');
  });

  test('a node with mounted keys blocks the rotation by name until its files change or it gets a SIGHUP', async (t) => {
    const directory = await provisionFor(t, provision);
    const [mounted, mountedBefore] = ['mounted', 'mounted-before'].map((name) =>
      join(directory.folder, name),
    );
    assert.ok(mounted !== undefined && mountedBefore !== undefined);
    const put = (path: string, name: string) =>
      writeFileSync(path, readFileSync(join(directory.data, name)), { mode: 0o600 });
    put(mounted, 'master.key');
    const environment = {
      FIELDROSTER_MASTER_KEY_FILE: mounted,
      FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: mountedBefore,
    };
    const apart = await startServer(t, { flags: directory.flags, environment });
    const load = startLoad(t, directory, apart);
    const blocked = await runFieldroster('key', 'rotate', '--wait', '1s', ...directory.flags);
    assert.equal(blocked.exitCode, 1);
    assert.match(
      blocked.stderr,
      new RegExp(`do not hold the new key [0-9a-f]{16}: process ${apart.pid} on `),
    );
    put(mountedBefore, 'master.key.previous');
    put(mounted, 'master.key');
    apart.signal('SIGHUP');
    await expectFieldroster('key', 'rotate', '--wait', '5m', ...directory.flags);
    await expectFieldroster('key', 'rotate', '--finish', ...directory.flags);
    await load.untilMore(clients * 2);
    await stopLoads([load]);
    assert.match(apart.output, /the master keys were read again/);
    // A file that holds no key must not replace the keys in use.
    writeFileSync(mounted, randomBytes(32).toString('base64'));
    apart.signal('SIGHUP');
    await untilPrinted(apart, /the new ones lack the key that is in use|were not read again/);
    const after = startLoad(t, directory, apart);
    await after.untilMore(clients * 2);
    await stopLoads([after]);
    assert.equal(await apart.stop(), 0);
  });

  test(`${kills} kills of a rotation leave nothing half done, and the next run continues`, async (t) => {
    const directory = await provisionFor(t, provision);
    await issueMany(directory);
    const server = await startServer(t, directory);
    const load = startLoad(t, directory, server);
    const killedAt = new Map<string, number>();
    for (let kill = 0; kill < kills; kill++) {
      const stage = await killRotation(directory, kill);
      killedAt.set(stage, (killedAt.get(stage) ?? 0) + 1);
      await assertAllOpen(directory);
      // A node can start at any stage.
      if (kill % 4 === 0) await (await startServer(t, directory)).stop();
      await expectFieldroster('key', 'rotate', ...directory.flags);
      await killCommand(
        spawnFieldroster(['key', 'rotate', '--finish', ...directory.flags]),
        300 * Math.random(),
      );
      await assertAllOpen(directory);
      await runFieldroster('key', 'rotate', '--finish', ...directory.flags);
      await assertFinished(directory);
    }
    const answered = await stopLoads([load]);
    const reached = [...killedAt].map(([stage, times]) => `${times} × ${stage}`).join(', ');
    t.diagnostic(`figure: ${kills * 2} kills (${reached}); 0 of ${answered} requests failed`);
    assert.deepEqual(server.errorLines, []);
    assert.equal(await server.stop(), 0);
  });
});

async function issueMany(directory: Provisioned): Promise<void> {
  const open = await openProvisioned(directory);
  const issue = { name: 'many', tenant: 'default', scope: 'read' } as const;
  for (let count = 0; count < applications; count++) await issueApplication(open, issue);
  await open.database.close();
}

/** Kills a rotation at one of its stages in turn, or after a random time. Returns the stage. */
async function killRotation({ flags }: Provisioned, turn: number): Promise<string> {
  const child = spawnFieldroster(['key', 'rotate', ...flags]);
  const stage = stages[turn % (stages.length + 1)];
  if (stage === undefined) {
    await killCommand(child, 1_500 * Math.random());
    return 'at a random time';
  }
  child.stderr?.on('data', (text) => {
    if (stage.test(String(text))) child.kill('SIGKILL');
  });
  await collectResult(child);
  return `after "${stage.source}"`;
}

async function killCommand(child: ReturnType<typeof spawnFieldroster>, afterMs: number): Promise<void> {
  const ended = collectResult(child);
  await Promise.race([ended, delay(afterMs)]);
  child.kill('SIGKILL');
  await ended;
}

/** Opens every secret with the keys of the folder, as a server does. */
async function assertAllOpen(directory: Provisioned): Promise<void> {
  const { database, vault } = await openProvisioned(directory);
  try {
    const all = await database.applications.listApplications();
    assert.equal(all.length, applications + 1);
    for (const { appId, secrets } of all) for (const { sealed } of secrets) vault.open(appId, sealed);
  } finally {
    await database.close();
  }
}

async function assertFinished(directory: Provisioned): Promise<void> {
  const { database, vault } = await openProvisioned(directory);
  try {
    assert.deepEqual(Object.keys(await database.keys.stored()), ['current']);
    assert.equal(vault.keyIds.length, 1, 'only the current key is in the folder');
    const keyIds = (await database.keys.listSealed()).map(({ sealed }) => namedKeyId(sealed));
    assert.deepEqual([...new Set(keyIds)], vault.keyIds);
  } finally {
    await database.close();
  }
}
