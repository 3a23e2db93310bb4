import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '@fieldroster/server/admin';
import { cleanEnvironment, commandPath } from '../../../scripts/testing/command-under-test.ts';
import { collect, runCommand, startCommand, temporaryFolder } from '../test/run-command.ts';
import { describeFailure } from './run-program.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
await (await openDirectory({ data, environment: {} })).database.close();

/** Runs a command whose reader has gone, as `head` goes after its first lines. */
async function runUnread(words: readonly string[]) {
  const child = startCommand(words);
  child.stdout?.destroy();
  return collect(child);
}

async function runOnFullDisk(words: readonly string[]) {
  const stdout = openSync('/dev/full', 'w');
  try {
    return await collect(startCommand(words, { stdout }));
  } finally {
    closeSync(stdout);
  }
}

test('a failure is one line that does not steer the terminal, whatever a file or a server put into it', () => {
  const { message } = describeFailure(
    new Error('made by 9\u001b[31m\u009b1m\u202e\r\n\tfieldroster: all is well'),
  );
  assert.equal(message, 'made by 9� fieldroster: all is well');
});

test('a failure after which cleaning up fails too is reported by its own message', async () => {
  const stop = async () => {
    await using cleaning = new AsyncDisposableStack();
    for (const text of ['third', 'second']) cleaning.defer(() => Promise.reject(new Error(text)));
    throw new Error('first');
  };
  assert.equal(await stop().catch((error) => describeFailure(error).message), 'first');
});

test('the refusal of a value of any length shortens the value, and keeps what is wrong and what to do', async () => {
  const long = 'a'.repeat(100_000);
  const shown = `${'a'.repeat(59)}…${'a'.repeat(18)}`;
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [['who', '--user', long], `tenant 'default' has no user "${shown}"; check the spelling and --tenant`],
    [['who', '--store', long], `tenant 'default' has no store "${shown}"; check the spelling and --tenant`],
    [['user', 'erase', '--yes', '--user', long], "no user of the tenant 'default' has or had the name 'aaa"],
    [
      ['who', '--user', 'mara', '--tenant', long],
      `there is no tenant '${shown}': a tenant's name has 1 to 100`,
    ],
    [['app', 'create', '--name', long], "option '--name <name>' argument 'aaa"],
    [['why', long], 'no failed call with the request id aaa'],
  ];
  for (const [words, expected] of refusals) {
    const { exitCode, stdout, stderr } = await runCommand([...words, '--data', data]);
    assert.notEqual(exitCode, 0);
    assert.ok(`${stdout}${stderr}`.replace(/^fieldroster: /, '').startsWith(expected), `${stdout}${stderr}`);
    assert.ok(stdout.length + stderr.length < 600);
  }
});

test('a list that nobody reads to its end is no failure', async () => {
  const { exitCode, stderr } = await runUnread(['app', 'list', '--data', data]);
  assert.deepEqual([exitCode, stderr], [0, '']);
});

test('a command that fails has its own exit code even if nobody reads its output', async () => {
  const { exitCode, stderr } = await runUnread(['doctor', '--data', join(folder, 'missing')]);
  assert.deepEqual([exitCode, stderr], [2, '']);
});

test('a secret that nobody reads is reported as lost', async () => {
  const { exitCode, stderr } = await runUnread(['app', 'create', '--name', 'HR', '--data', data]);
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /^fieldroster: the new APPSECRET of (fr\w+) could not .*: fieldroster app rotate \1\n$/,
  );
});

test('a rotated secret that nobody reads is replaced, and not the one that clients use', async () => {
  const words = ['app', 'create', '--name', 'Read', '--data', data, '--json'];
  const { app_id } = JSON.parse((await runCommand(words)).stdout);
  const { exitCode, stderr } = await runUnread(['app', 'rotate', app_id, '--data', data]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /it is lost: issue another with: fieldroster app rotate fr\w+ --replace-newest\n$/);
});

/** Runs a command in a shell that redirects its standard output. */
function runRedirected(redirection: string, ...words: readonly string[]) {
  const all = [process.execPath, ...commandPath, ...words, '--data', data];
  return spawnSync('bash', ['-c', `"$@" ${redirection}`, 'bash', ...all], {
    encoding: 'utf8',
    env: cleanEnvironment(),
  });
}

if (process.platform !== 'win32') {
  test('a secret that nothing could show is not made: standard output is closed or /dev/null', async () => {
    const appId = JSON.parse(
      (await runCommand(['app', 'create', '--name', 'Kept', '--data', data, '--json'])).stdout,
    ).app_id;
    const listed = async () => [
      (await runCommand(['app', 'show', appId, '--data', data])).stdout,
      (await runCommand(['app', 'list', '--data', data])).stdout,
      (await runCommand(['operator', 'links', '--data', data])).stdout,
    ];
    const before = await listed();
    for (const redirection of ['>&-', '>/dev/null'])
      for (const [secret, ...words] of [
        ['APPSECRET', 'app', 'create', '--name', 'Unseen'],
        ['APPSECRET', 'app', 'create', '--name', 'Unseen', '--app-id', 'unseen', '--json'],
        ['APPSECRET', 'app', 'rotate', appId],
        ['link', 'operator', 'invite', '--role', 'owner'],
        ['link', 'operator', 'reset', 'mara', '--now'],
      ] as const) {
        const { status, stderr } = runRedirected(redirection, ...words);
        assert.equal(
          stderr,
          `fieldroster: nobody could read the new ${secret}, because standard output is closed or /dev/null; nothing was changed: run the command again with standard output going to a terminal, a file or a pipe\n`,
        );
        assert.equal(status, 2);
      }
    assert.deepEqual(await listed(), before);
  });

  test('a secret that its owner chose needs no output', async () => {
    const own = ['--app-id', 'chosen', '--app-secret', '0123456789abcdef'];
    const { status, stderr } = runRedirected('>/dev/null', 'app', 'create', '--name', 'Chosen', ...own);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match((await runCommand(['app', 'list', '--data', data])).stdout, /chosen/);
  });
}

test('a link that nobody reads is reported as lost, and can be withdrawn', async () => {
  const { exitCode, stderr } = await runUnread(['operator', 'invite', '--data', data]);
  assert.equal(exitCode, 1);
  const [, id = ''] =
    /^fieldroster: the link could not be printed.*fieldroster operator withdraw ([0-9a-f]{12})\n$/.exec(
      stderr,
    ) ?? [];
  const withdrawn = await runCommand(['operator', 'withdraw', id, '--data', data]);
  assert.deepEqual([withdrawn.exitCode, withdrawn.stdout], [0, `withdrew ${id}\n`], stderr);
});

test('a full disk behind standard output is reported in one line', async (t) => {
  if (!existsSync('/dev/full')) {
    t.diagnostic('NOT TESTED: this system has no /dev/full');
    return;
  }
  const fault =
    'fieldroster: the output cannot be written (no space left on device); what the command has changed stays changed\n';
  const list = await runOnFullDisk(['app', 'list', '--json', '--data', data]);
  assert.deepEqual([list.exitCode, list.stderr], [1, fault]);
  const help = await runOnFullDisk(['--help']);
  assert.deepEqual([help.exitCode, help.stderr], [1, fault]);
  const doctor = await runOnFullDisk(['doctor', '--data', join(folder, 'missing')]);
  assert.deepEqual([doctor.exitCode, doctor.stderr], [2, fault]);
  const created = await runOnFullDisk(['app', 'create', '--name', 'Payroll', '--data', data]);
  assert.equal(created.exitCode, 1);
  assert(created.stderr.includes(fault), created.stderr);
  assert.match(created.stderr, /could not be printed; .*: fieldroster app rotate fr\w+\n/);
  assert.match((await runCommand(['app', 'list', '--data', data])).stdout, /Payroll/);
});

test('an empty or half-written value is refused before anything is read, with what to give', async () => {
  const explain = ['explain', '--method', 'GET', '--url', '/users', '--timestamp', '1', '--nonce', 'n'];
  for (const [words, expected] of [
    [['key', 'rotate', '--finish', '--keep-old-key', ''], /It must not be empty; name a new file\.$/m],
    [['user', 'erase', '--user', 'mara', '--erasures', ''], /It must not be empty; name the list, or leave/],
    [['restore', '--from', 'x', '--erasures', ''], /It must not be empty; name the list, or leave/],
    [
      [...explain, '--base-path', 'api', '--signature', 'x'],
      /Note: a base path begins with \/, as in \/api\/v1\.$/m,
    ],
    [[...explain, '--string-to-sign', '@'], /--string-to-sign is @ without a file; write @FILE, or @- for/],
  ] as const) {
    const { exitCode, stdout, stderr } = await runCommand(words, { env: { FIELDROSTER_DATA: data } });
    assert.deepEqual([exitCode, stdout], [2, ''], stderr);
    assert.match(stderr, expected);
  }
});
