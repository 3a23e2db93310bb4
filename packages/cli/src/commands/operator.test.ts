import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '@fieldroster/server/admin';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const data = temporaryFolder();
const run = (...words: string[]) => runCommand(['operator', ...words, '--data', data]);

test('an invitation prints a link to the console with its expiry', async () => {
  const { exitCode, stdout } = await run(
    'invite',
    '--role',
    'owner',
    '--console-url',
    'https://x.example/c/',
  );
  assert.equal(exitCode, 0);
  assert.match(stdout, /^https:\/\/x\.example\/c\/link#[\w-]{43}\nThe link works once, until 20/);
  const issued = JSON.parse((await run('invite', '--json')).stdout);
  assert.deepEqual(Object.keys(issued), ['link', 'expires_at']);
  assert.deepEqual(JSON.parse((await run('list', '--json')).stdout), [], 'a link is no operator yet');
});

test('a link names the address of the console that the settings of the server name', async () => {
  const config = join(temporaryFolder(), 'settings.toml');
  writeFileSync(config, 'console-listen = "0.0.0.0:8082"\nport = "wrong, and not needed here"\n');
  const portOnly = join(temporaryFolder(), 'port.toml');
  writeFileSync(portOnly, 'port = 18911\nbase-path = "/api"\n');
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, ...string[]])[] = [
    ['http://127.0.0.1:8081', { FIELDROSTER_CONSOLE_LISTEN: '8081' }],
    ['http://10.0.0.5:81', { FIELDROSTER_CONSOLE_LISTEN: '10.0.0.5:81' }],
    ['http://127.0.0.1:8082', {}, '--config', config],
    ['http://127.0.0.1:8080', {}],
    ['http://127.0.0.1:18911', {}, '--config', portOnly],
    ['http://127.0.0.1:9001', { FIELDROSTER_PORT: '9001' }, '--config', portOnly],
    ['http://127.0.0.1:9001', { FIELDROSTER_PORT: '9001', FIELDROSTER_HOST: '0.0.0.0' }],
    ['http://[2001:db8::7]:8080', { FIELDROSTER_HOST: '2001:db8::7' }],
    // Kubernetes sets this for a Service; serve ignores it too.
    ['http://127.0.0.1:18911', { FIELDROSTER_PORT: 'tcp://10.0.0.1:8080' }, '--config', portOnly],
    [
      'https://x.example',
      { FIELDROSTER_CONSOLE_LISTEN: '8081', FIELDROSTER_PUBLIC_URL: 'https://x.example' },
    ],
  ];
  for (const [origin, env, ...flags] of cases) {
    const { stdout, stderr } = await runCommand(['operator', 'invite', '--data', data, ...flags], { env });
    assert(stdout.startsWith(`${origin}/console/link#`), stdout + stderr);
  }
});

test('an origin stands for the console below it, so that the link leads there', async () => {
  for (const [url, address] of [
    ['https://x.example', 'https://x.example/console'],
    ['https://x.example/', 'https://x.example/console'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/console'],
    ['https://x.example/console', 'https://x.example/console'],
    ['https://x.example/console/', 'https://x.example/console'],
  ] as const) {
    const { stdout, stderr } = await run('invite', '--console-url', url);
    assert.ok(stdout.startsWith(`${address}/link#`), stdout + stderr);
  }
});

test('no link is issued when the address of the console cannot be known', async () => {
  const refused = [
    [
      { FIELDROSTER_CONSOLE_LISTEN: '0' },
      /listens on 127\.0\.0\.1:0, where the system chooses the port; give its address with --console-url/,
    ],
    [
      { FIELDROSTER_CONSOLE_LISTEN: 'http://x' },
      /FIELDROSTER_CONSOLE_LISTEN is "http:\/\/x".*a port such as 8081/,
    ],
    [{ FIELDROSTER_PORT: '0' }, /listens on 127\.0\.0\.1:0, where the system chooses the port/],
    [{ FIELDROSTER_PORT: 'x' }, /FIELDROSTER_PORT is "x"; it must be a whole number/],
    [{ FIELDROSTER_CONSOLE: 'off' }, /the settings turn the console off/],
    ...[
      'foo',
      'ftp://x.example/',
      'https:x',
      'https://u:geheim@x.example',
      'https://x.example/?a',
      '//x',
    ].map(
      (url) =>
        [
          { FIELDROSTER_CONSOLE_URL: url },
          /--console-url or FIELDROSTER_CONSOLE_URL must be the address of the console, such as/,
        ] as const,
    ),
  ] as const;
  for (const [env, reason] of refused) {
    const { exitCode, stdout, stderr } = await runCommand(['operator', 'invite', '--data', data], { env });
    assert.deepEqual([exitCode, stdout], [2, ''], stderr);
    assert.match(stderr, reason);
    assert.ok(!stderr.includes('geheim'));
  }
});

test('an operator is listed, disabled, enabled and reset', async () => {
  const { database } = await openDirectory({ data, migrate: false });
  const mara = {
    username: 'mara',
    passwordHash: '',
    role: 'viewer',
    allTenants: true,
    tenantIds: [],
  } as const;
  await database.operators.write(undefined, async (operators) => ({ result: await operators.insert(mara) }));
  await database.close();
  const status = async () => JSON.parse((await run('list', '--json')).stdout)[0].status;
  assert.match(
    (await run('list')).stdout,
    /^ID {2}USERNAME {2}ROLE [^\n]+\n1 +mara +viewer +all +active +off +20/,
  );
  assert.match((await run('disable', 'mara')).stdout, /^disabled mara\n/);
  assert.equal(await status(), 'disabled');
  assert.deepEqual(JSON.parse((await run('enable', 'mara', '--json')).stdout), {
    username: 'mara',
    status: 'active',
  });
  assert.equal(await status(), 'active');
  assert.match((await run('reset', 'mara')).stdout, /^http:\/\/127\.0\.0\.1:8080\/console\/link#/);
});

test('an open link is listed without its token, and withdrawn by the beginning of its id', async () => {
  const listed = async () => JSON.parse((await run('links', '--json')).stdout);
  const before = await listed();
  const { link } = JSON.parse((await run('reset', 'mara', '--json')).stdout);
  const links = await listed();
  assert.equal(links.length, before.length + 1);
  const { id, expires_at, ...reset } = links.at(-1);
  assert.equal(id, createHash('sha256').update(link.split('#')[1]).digest('hex'));
  assert.ok(Date.parse(expires_at) > Date.now());
  assert.deepEqual(reset, {
    purpose: 'reset',
    username: 'mara',
    role: 'viewer',
    all_tenants: true,
    tenant_ids: [],
  });
  const { stdout } = await run('links');
  assert.match(stdout, new RegExp(`^${id.slice(0, 12)} +reset +mara +viewer +all +a command +20`, 'm'));
  assert.ok(!stdout.includes(link.split('#')[1]));
  assert.equal((await run('withdraw', id.slice(0, 12))).stdout, `withdrew ${id.slice(0, 12)}\n`);
  assert.deepEqual(await listed(), before);
  const { exitCode, stderr } = await run('withdraw', id);
  assert.equal(exitCode, 1);
  assert.match(stderr, /no open link with the id '[0-9a-f]{64}'; it was used or withdrawn, or has expired/);
});

test('links that have expired are counted, because a clock that is ahead hides good ones', async () => {
  const { database } = await openDirectory({ data, migrate: false });
  await database.operators.write(undefined, async (operators) => {
    const link = { role: 'viewer', allTenants: true, tenantIds: [], expiresAtMs: Date.now() - 1 } as const;
    await operators.insertLink({ tokenHash: 'e'.repeat(64), ...link });
    return { result: undefined };
  });
  await database.close();
  assert.equal(
    (await run('links')).stderr,
    "fieldroster: 1 link has expired and is not listed; if it should still work, check the clock of the database's machine\n",
  );
  await run('reset', 'mara');
  assert.equal((await run('links')).stderr, '');
});

test('a beginning that several ids have withdraws none of them', async () => {
  const { database } = await openDirectory({ data, migrate: false });
  const expiresAtMs = Date.now() + 60_000;
  await database.operators.write(undefined, async (operators) => {
    for (const end of ['a', 'b']) {
      const tokenHash = `${'e'.repeat(63)}${end}`;
      await operators.insertLink({ tokenHash, role: 'viewer', allTenants: true, tenantIds: [], expiresAtMs });
    }
    return { result: undefined };
  });
  const { exitCode, stderr } = await run('withdraw', 'EEEE');
  assert.equal(exitCode, 1);
  assert.match(stderr, /2 open links have an id that begins with 'EEEE'; give more of it/);
  const links = await database.operators.listLinks();
  assert.equal(links.filter(({ tokenHash }) => tokenHash.startsWith('eeee')).length, 2);
  await database.close();
});

test('a reset that is made at once ends the old password and every session', async () => {
  const { database } = await openDirectory({ data, migrate: false });
  const before = await database.operators.findByUsername('mara');
  assert(before !== undefined);
  const nowMs = Date.now();
  const session = { tokenHash: 'stolen', operatorId: before.id, createdAtMs: nowMs, seenAtMs: nowMs };
  await database.bookkeeping.operatorSessions.insert(session);
  const later = await run('reset', 'mara');
  assert.match(later.stdout, /\nUntil it is used, the old password and open sessions still work; --now ends/);
  assert.equal((await database.operators.findByUsername('mara'))?.passwordHash, before.passwordHash);
  assert.notEqual(await database.bookkeeping.operatorSessions.find('stolen'), undefined);
  const { stdout } = await run('reset', 'mara', '--now');
  assert.doesNotMatch(stdout, /still work/);
  assert.match(
    (await database.operators.findByUsername('mara'))?.passwordHash ?? '',
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
  );
  assert.equal(await database.bookkeeping.operatorSessions.find('stolen'), undefined);
  assert.equal(
    (await database.operators.listLinks()).filter(({ operatorId }) => operatorId === before.id).length,
    1,
    'the link made before ended with the password',
  );
  await database.close();
  assert.match((await run('disable', 'mara')).stdout, /^disabled mara; open links that ended: 1\n$/);
  await run('enable', 'mara');
});

test('a disabled account is reset before it is enabled, so that a stolen password never works again', async () => {
  const { database } = await openDirectory({ data, migrate: false });
  const stolen = (await database.operators.findByUsername('mara'))?.passwordHash;
  await run('disable', 'mara');
  await run('reset', 'mara', '--now');
  const reset = await database.operators.findByUsername('mara');
  assert.equal(reset?.status, 'disabled');
  assert.notEqual(reset.passwordHash, stolen);
  await run('enable', 'mara');
  const enabled = await database.operators.findByUsername('mara');
  assert.deepEqual([enabled?.status, enabled?.passwordHash], ['active', reset.passwordHash]);
  await database.close();
  const links = JSON.parse((await run('links', '--json')).stdout) as { username?: string }[];
  assert.equal(links.filter(({ username }) => username === 'mara').length, 1, 'the link is still open');
});

test('disabling the last active owner says that none is left', async () => {
  const access = { role: 'owner', allTenants: true, tenantIds: [] } as const;
  const { database } = await openDirectory({ data, migrate: false });
  await database.operators.write(undefined, async (operators) => ({
    result: await operators.insert({ username: 'boss', passwordHash: '', ...access }),
  }));
  await database.close();
  assert.match(
    (await run('disable', 'boss')).stderr,
    /no active owner of all tenants is left; invite one with/,
  );
  assert.equal((await run('enable', 'boss')).stderr, '');
});

test('the audit trail says who ran each command, and where', async () => {
  const { database } = await openDirectory({ data, migrate: false });
  const events = await database.operators.listEvents(100);
  await database.close();
  const byOperation = new Map(events.map((event) => [event.operation, event.actor]));
  for (const operation of [
    'operator invite',
    'operator disable',
    'operator enable',
    'operator reset',
    'operator withdraw',
  ]) {
    const actor = byOperation.get(operation);
    assert.deepEqual([actor?.user, actor?.host], [userInfo().username, hostname()], operation);
  }
});

test('an unknown operator, tenant or role is refused', async () => {
  const refused: readonly (readonly [number, readonly string[]])[] = [
    [1, ['reset', 'nobody']],
    [1, ['disable', 'nobody']],
    [1, ['enable', 'nobody']],
    [1, ['withdraw', 'nobody']],
    [1, ['invite', '--tenant', 'nowhere']],
    [2, ['invite', '--role', 'king']],
  ];
  for (const [code, words] of refused) {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.deepEqual([exitCode, stdout], [code, ''], stderr);
    assert.match(stderr, /^fieldroster: [^\n]*(nobody|nowhere|king)[^\n]*\n$/);
  }
});
