import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openDirectory } from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { collect, startCommand, temporaryFolder } from '../test/run-command.ts';
import { startServe } from '../test/serve-process.ts';
import { wholeProgram } from '../test/whole-program.ts';

/** Far longer than a command takes, even on a busy machine. */
const timeout = 240_000;

const folder = temporaryFolder();
const data = join(folder, 'data');
const file = join(folder, 'users.csv');
writeFileSync(file, 'username\nada\n');
const sample = (name: string) => join(import.meta.dirname, '../sample', name);

const server = await startServe(['--sample', '--data', data]);
const [appId, appSecret] = ['tests', 'a secret of the tests'];
const env = { FIELDROSTER_URL: server.url, FIELDROSTER_APP_ID: appId, FIELDROSTER_APP_SECRET: appSecret };

// The link of an invitation is for a browser, so the test makes its operator in the database.
const directory = await openDirectory({ data, migrate: false });
const access = { role: 'viewer', allTenants: true, tenantIds: [] } as const;
const linkId = 'c3'.repeat(32);
await directory.database.operators.write(undefined, async (operators) => {
  await operators.insertLink({ tokenHash: linkId, ...access, expiresAtMs: Date.now() + 3_600_000 });
  return { result: await operators.insert({ username: 'mara', passwordHash: '', ...access }) };
});
await directory.database.close();

// A backup does not contain the key of its data.
const restored = join(folder, 'restored');
mkdirSync(restored, { mode: 0o700 });
copyFileSync(join(data, 'master.key'), join(restored, 'master.key'));
const backup = join(folder, 'today.backup');

const onData = ['--data', data];
const wrongSignature = ['--timestamp', '1767225600', '--nonce', 'n1', '--signature', 'wrong='];

/** The arguments of every command but `serve`, in an order in which each succeeds. */
const invocations: Readonly<Record<string, readonly string[]>> = {
  'app create': ['--name', 'tests', '--scope', 'manage', '--app-id', appId, ...onData],
  'app list': onData,
  'tenant create': ['other', ...onData],
  'tenant list': onData,
  'operator invite': onData,
  'operator list': onData,
  'operator reset': ['mara', ...onData],
  'operator links': onData,
  'operator withdraw': [linkId, ...onData],
  'operator disable': ['mara', ...onData],
  'operator enable': ['mara', ...onData],
  'role import': [sample('roles.csv'), ...onData],
  'role list': onData,
  'org import': [sample('orgs.csv'), ...onData],
  'org list': onData,
  'store import': [sample('stores.csv'), ...onData],
  'store list': onData,
  'user import': [file],
  'user export': [join(folder, 'export.csv')],
  'user list': [],
  'user show': ['ada'],
  'user bind': ['ada', '--store', 'N-001'],
  'user unbind': ['ada', '--store', 'N-001'],
  'user disable': ['ada'],
  'user enable': ['ada'],
  call: ['GET', '/user?username=ada'],
  'user delete': ['ada'],
  'user erase': ['--user', 'ada', '--yes', ...onData],
  calls: onData,
  why: ['no-such-request', ...onData],
  who: ['--user', 'mara.okafor', ...onData],
  'config check': onData,
  'app show': [appId, ...onData],
  'app update': [appId, '--scope', 'read', ...onData],
  'app rotate': [appId, ...onData],
  'app revoke': [appId, ...onData],
  migrate: onData,
  'claims status': onData,
  'claims reset': ['--yes', ...onData],
  doctor: ['--quick', ...onData],
  backup: ['--to', backup, ...onData],
  'backup verify': [backup],
  restore: ['--from', backup, '--data', restored],
  'key check': onData,
  'key rotate': onData,
  copy: ['--from', data, '--to', join(folder, 'copy'), '--allow-running'],
  explain: ['--method', 'GET', '--url', '/user', ...wrongSignature],
};

/** Commands that end with 1 although they worked: `explain` found a wrong signature, `why` found no failed call. */
const failing = ['explain', 'why'];

// Other tests run commands in a process that lives on, where a forgotten timer or connection goes unnoticed.
describe('in its own process, a command ends without help', () => {
  for (const [name, words] of Object.entries(invocations)) {
    test(name, { timeout }, async (t) => {
      const child = startCommand([...name.split(' '), ...words], { env });
      t.after(() => child.kill('SIGKILL'));
      const { exitCode, stderr } = await collect(child);
      assert.equal(exitCode, failing.includes(name) ? 1 : 0, stderr);
    });
  }

  test('serve, on a signal', { timeout }, async () => {
    assert.equal(await server.stop(), 0);
  });

  test('no command is missing here', async () => {
    const commands = leavesOf(await wholeProgram()).filter((name) => name !== 'serve');
    assert.deepEqual(Object.keys(invocations).sort(), commands.sort());
  });
});

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  const below = command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
  // A command with subcommands that has options of its own, such as backup, does something itself.
  const isRun = below.length === 0 || (path.length > 0 && command.options.length > 0);
  return isRun ? [path.join(' '), ...below] : below;
}

test('help on a command that does not exist says so, and help on one that does prints it', async () => {
  const run = (...words: string[]) => collect(startCommand(words));
  const { exitCode, stdout, stderr } = await run('help', 'stoer');
  assert.deepEqual([exitCode, stdout], [2, '']);
  assert.equal(stderr, "fieldroster: unknown command 'stoer'; --help lists the commands\n");
  for (const words of [['help'], ['help', 'store'], ['help', '--help']])
    assert.match((await run(...words)).stdout, /^Usage: fieldroster/, words.join(' '));
});
