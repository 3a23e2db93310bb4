import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';
import { sendSigned } from '../call/send-signed.ts';

const folder = temporaryFolder();

interface Row {
  readonly operation: string;
  readonly actor: string | null;
}

function auditRows(data: string): Row[] {
  using database = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
  const rows = database.prepare('select operation, actor from audit_event order by id').all();
  return rows.map(({ operation, actor }) => ({
    operation: String(operation),
    actor: actor as string | null,
  }));
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const env = { SUDO_USER: 'ann', FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };

/** The actor of every audit row that a command writes. */
const actor = { kind: 'command', user: userInfo().username, sudoUser: 'ann', host: hostname() };

async function runAll(data: string, commands: readonly (readonly string[])[]): Promise<void> {
  for (const words of commands) {
    const { exitCode, stderr } = await runCommand([...words, '--data', data], { env });
    assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
  }
}

test('every command that changes something is audited with the system user, sudo and the host', async () => {
  const data = join(folder, 'all');
  await runAll(data, [
    ['tenant', 'create', 'acme'],
    ['app', 'create', '--name', 'A', '--app-id', 'a'],
    ['app', 'update', 'a', '--scope', 'read'],
    ['app', 'rotate', 'a'],
    ['app', 'revoke', 'a'],
    ['role', 'import', file('roles.csv', 'id,name\n1,R\n')],
    ['org', 'import', file('orgs.csv', 'id,name\n1,O\n')],
    ['store', 'import', file('stores.csv', 'code,name\nS,S\n')],
  ]);
  const copy = join(folder, 'copied');
  assert.equal((await runCommand(['copy', '--from', data, '--to', copy], { env })).exitCode, 0);
  const rows = auditRows(copy);
  const operations = new Set(rows.map(({ operation }) => operation));
  const apps = ['create', 'update', 'rotate', 'revoke'].map((word) => `app ${word}`);
  const imports = ['role', 'org', 'store'].map((noun) => `${noun} import`);
  assert.deepEqual([...operations], ['tenant create', ...apps, ...imports, 'copy']);
  for (const row of rows) assert.deepEqual(JSON.parse(row.actor ?? 'null'), actor, row.operation);
  assert.deepEqual(auditRows(data), rows.slice(0, -2), 'a copy leaves its row in both tenants of the target');
});

test('a reset of the claims is audited with its actor', async () => {
  const data = join(folder, 'reset');
  await runAll(data, [['app', 'create', '--name', 'A']]);
  using database = new DatabaseSync(join(data, 'fieldroster.db'));
  database.exec("update counter set value = 99999999999 where name = 'purged_through'");
  await runAll(data, [['claims', 'reset', '--yes']]);
  const last = auditRows(data).at(-1);
  assert.deepEqual([last?.operation, JSON.parse(last?.actor ?? '')], ['claims reset', actor]);
});

test('an erasure is audited with its actor, and who names everybody who changed the user', async () => {
  const data = join(folder, 'erased');
  const issued = await runCommand(['app', 'create', '--name', 'A', '--json', '--data', data], { env });
  const { app_id: appId, app_secret: appSecret } = JSON.parse(issued.stdout);
  const server = await startServe(['--data', data], { env });
  const body = Buffer.from('{"username":"ada"}');
  await sendSigned({ url: server.url, appId, appSecret }, { method: 'POST', path: '/user/stores', body });
  await server.stop();
  await runAll(data, [['user', 'erase', '--user', 'ada', '--yes']]);
  const last = auditRows(data).at(-1);
  assert.deepEqual([last?.operation, JSON.parse(last?.actor ?? '')], ['user erase', actor]);
  const { stdout } = await runCommand(['who', '--user-id', '1', '--json', '--data', data], { env });
  const { events } = JSON.parse(stdout) as { events: { by: string; operation: string }[] };
  assert.deepEqual(
    events.map(({ by, operation }) => [by, operation]),
    [
      [`ann@${hostname()}`, 'user erase'],
      [appId, 'batch-update-user-stores'],
    ],
  );
});

test('the first application and the sample of serve are audited with their actor', async () => {
  const data = join(folder, 'served');
  const server = await startServe(['--sample', '--data', data], { env });
  await server.stop();
  for (const row of auditRows(data)) assert.deepEqual(JSON.parse(row.actor ?? 'null'), actor, row.operation);
});

test('GET /audit shows the user and the host to no application of any scope', async () => {
  const data = join(folder, 'hidden');
  const issued = await runCommand(
    ['app', 'create', '--name', 'A', '--scope', 'manage', '--json', '--data', data],
    { env },
  );
  const { app_id: appId, app_secret: appSecret } = JSON.parse(issued.stdout);
  const server = await startServe(['--data', data], { env });
  const { text } = await sendSigned({ url: server.url, appId, appSecret }, { method: 'GET', path: '/audit' });
  await server.stop();
  const [event] = JSON.parse(text).data.events;
  assert.deepEqual(Object.keys(event).sort(), [
    'app_id',
    'at',
    'changes',
    'id',
    'operation',
    'request_id',
    'user_id',
  ]);
  assert.equal(event.operation, 'app create');
  for (const name of ['ann', hostname()]) assert.ok(!text.includes(`"${name}"`));
});

test('a signed write has its application, and no actor', async () => {
  const data = join(folder, 'signed');
  const issued = await runCommand(['app', 'create', '--name', 'A', '--json', '--data', data], { env });
  const { app_id: appId, app_secret: appSecret } = JSON.parse(issued.stdout);
  const server = await startServe(['--data', data], { env });
  const body = Buffer.from('{"username":"ada"}');
  await sendSigned({ url: server.url, appId, appSecret }, { method: 'POST', path: '/user/stores', body });
  await server.stop();
  assert.equal(auditRows(data).at(-1)?.actor, null);
});
