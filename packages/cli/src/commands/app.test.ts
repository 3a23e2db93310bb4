import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDirectory } from '@fieldroster/server/admin';
import { atScale } from '../../../../scripts/testing/full-scale.ts';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';
import { sendSigned } from '../call/send-signed.ts';

const folder = temporaryFolder();
let made = 0;

/** Creates a database and returns functions that run commands on it. */
async function onNewDatabase() {
  const data = join(folder, String(made++));
  await (await openDirectory({ data, environment: {} })).database.close();
  const run = (words: readonly string[], env = {}) => runCommand([...words, '--data', data], { env });
  const json = async (words: readonly string[], env = {}) => {
    const { exitCode, stdout, stderr } = await run([...words, '--json'], env);
    assert.deepEqual([exitCode, stderr], [0, '']);
    return JSON.parse(stdout);
  };
  return { data, run, json };
}

const ownSecret = 'brought along: 16+ characters';

describe('app create', { concurrency: 4 }, () => {
  test('prints exactly the four keys', async () => {
    const { json } = await onNewDatabase();
    const issued = await json(['app', 'create', '--name', 'HR sync']);
    assert.deepEqual(Object.keys(issued), ['app_id', 'app_secret', 'name', 'tenant']);
    assert.match(issued.app_id, /^fr[0-9a-f]{18}$/);
    assert.match(issued.app_secret, /^[0-9a-f]{64}$/);
    assert.deepEqual([issued.name, issued.tenant], ['HR sync', 'default']);
  });

  test('says that the secret is shown only once', async () => {
    const { run } = await onNewDatabase();
    const { exitCode, stdout } = await run(['app', 'create', '--name', 'HR']);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^APPSECRET {2}[0-9a-f]{64}\nKeep the secret now: it cannot be read again\.$/m);
  });

  test('refuses a name with an invisible character, and names the character', async () => {
    const { run, json } = await onNewDatabase();
    const refused = [
      ['HR\u200bsync', 'U+200B'],
      ['HR\u2060', 'U+2060'],
      ['H\ufeffR', 'U+FEFF'],
      ['HR\u202esync', 'U+202E'],
      ['HR\u2028sync', 'U+2028'],
    ] as const;
    for (const [name, character] of refused) {
      const { exitCode, stderr } = await run(['app', 'create', '--name', name]);
      assert.equal(exitCode, 2);
      assert.ok(stderr.includes(`the name of an application must be free of invisible characters`), stderr);
      assert.ok(stderr.includes(`it has ${character}`), stderr);
    }
    assert.deepEqual(await json(['app', 'list']), []);
  });

  test('accepts an APPID and an APPSECRET that clients already have', async () => {
    const { json, run } = await onNewDatabase();
    const own = ['--app-id', 'legacy', '--app-secret', ownSecret];
    const issued = await json(['app', 'create', '--name', 'Old', ...own]);
    assert.deepEqual(issued, { app_id: 'legacy', app_secret: ownSecret, name: 'Old', tenant: 'default' });
    const again = await run(['app', 'create', '--name', 'Again', '--app-id', 'legacy']);
    assert.deepEqual(again, {
      exitCode: 1,
      stdout: '',
      stderr: 'fieldroster: the APPID legacy is taken; choose another one\n',
    });
  });

  test('reads the secret from the environment, where no process list shows it', async () => {
    const { json } = await onNewDatabase();
    const env = { FIELDROSTER_APP_SECRET: ownSecret };
    assert.equal((await json(['app', 'create', '--name', 'A', '--app-id', 'a'], env)).app_secret, ownSecret);
    assert.notEqual((await json(['app', 'create', '--name', 'B'], env)).app_secret, ownSecret);
  });

  test('accepts a short secret only with --weak-secret, and warns', async () => {
    const { run, json } = await onNewDatabase();
    const words = ['app', 'create', '--name', 'A', '--app-id', 'a', '--json'];
    const short = '15 characters..';
    const given: [string[], object][] = [
      [['--app-secret', short], {}],
      [[], { FIELDROSTER_APP_SECRET: short }],
    ];
    for (const [flags, env] of given) {
      const { exitCode, stdout, stderr } = await run([...words, ...flags], { ...env });
      assert.deepEqual([exitCode, stdout], [2, '']);
      assert.match(stderr, /the secret of a has 15 characters; .* accept it with --weak-secret/);
      assert.ok(!stderr.includes(short));
    }
    assert.deepEqual(await json(['app', 'list']), []);
    const { exitCode, stdout, stderr } = await run([...words, '--app-secret', short, '--weak-secret']);
    assert.deepEqual([exitCode, JSON.parse(stdout).app_secret], [0, short]);
    assert.match(stderr, /^fieldroster: the secret of a has 15 characters; [^\n]*: rotate it soon\n$/);
  });

  const refused: readonly (readonly [flags: string[], exitCode: number, message: RegExp])[] = [
    [['--app-secret', ownSecret], 2, /--app-secret needs an APPID; add --app-id/],
    [['--app-id', 'a:b'], 2, /'--app-id <appid>' argument 'a:b' is invalid\. .*no colon/],
    [
      ['--app-id', 'a', '--app-secret', 'has a\nline end in it'],
      2,
      /--app-secret is not accepted: .*no control character/,
    ],
    [
      ['--tenant', 'nobody'],
      1,
      /there is no tenant 'nobody'; create it with: fieldroster tenant create nobody/,
    ],
  ];

  test('refuses the rest and issues nothing', async () => {
    const { run, json } = await onNewDatabase();
    for (const [flags, exitCode, message] of refused) {
      const result = await run(['app', 'create', '--name', 'A', ...flags]);
      assert.equal(result.exitCode, exitCode);
      assert.match(result.stderr, message);
      assert.equal(result.stderr.trim().split('\n').length, 1);
    }
    assert.deepEqual(await json(['app', 'list']), []);
  });
});

test('app list shows every application, or those of a tenant, and no secret', async () => {
  const { json, run } = await onNewDatabase();
  await run(['tenant', 'create', 'acme']);
  const first = await json(['app', 'create', '--name', 'HR 人事', '--app-id', 'first', '--scope', 'read']);
  await json(['app', 'create', '--name', 'CRM', '--app-id', 'second', '--tenant', 'acme']);
  const all = await json(['app', 'list']);
  assert.deepEqual(Object.keys(all[0]), [
    'app_id',
    'name',
    'tenant',
    'scope',
    'status',
    'created_at',
    'rate_limit',
    'allowed_addresses',
    'expires_at',
    'secrets',
  ]);
  assert.deepEqual(
    all.map(({ app_id, tenant, scope, status }: Record<string, string>) => [app_id, tenant, scope, status]),
    [
      ['first', 'default', 'read', 'active'],
      ['second', 'acme', 'write', 'active'],
    ],
  );
  assert.equal((await json(['app', 'list', '--tenant', 'acme'])).length, 1);
  const { stdout } = await run(['app', 'list']);
  assert.equal(stdout.includes(first.app_secret), false);
  assert.match(
    stdout,
    /^APPID {3}NAME {5}TENANT {3}SCOPE\b.*\nfirst {3}HR 人事 {2}default {2}read\b.*\nsecond {2}CRM {6}acme /,
  );
});

describe('app rotate', { concurrency: 4 }, () => {
  test('issues a second secret, and lets the old one expire as requested', async () => {
    const { json } = await onNewDatabase();
    const secrets = [(await json(['app', 'create', '--name', 'A', '--app-id', 'a'])).app_secret];
    const durations = [
      [],
      ['--old-expires-in', '15m'],
      ['--old-expires-in', '7d'],
      ['--old-expires-in', '0'],
    ];
    for (const [index, milliseconds] of [86_400_000, 900_000, 604_800_000, 0].entries()) {
      const startedAtMs = Date.now();
      const rotated = await json(['app', 'rotate', 'a', ...(durations[index] ?? [])]);
      const names = ['app_id', 'app_secret', 'old_secret_expires_at', 'ended_secrets'];
      assert.deepEqual(Object.keys(rotated), names);
      assert.equal(rotated.ended_secrets.length, index === 0 ? 0 : 1);
      secrets.push(rotated.app_secret);
      const rotatedAtMs = Date.parse(rotated.old_secret_expires_at) - milliseconds;
      assert.ok(rotatedAtMs >= startedAtMs && rotatedAtMs <= Date.now(), rotated.old_secret_expires_at);
    }
    assert.equal(new Set(secrets).size, 5);
  });

  test('says until when the previous secret is valid, or that it is not valid any more', async () => {
    const { json, run } = await onNewDatabase();
    await json(['app', 'create', '--name', 'A', '--app-id', 'a']);
    const { stdout: kept } = await run(['app', 'rotate', 'a', '--old-expires-in', '15m']);
    assert.match(kept, /^rotated; the previous secret is valid until \d{4}-[^\n]+Z\n/);
    const { stdout: ended } = await run(['app', 'rotate', 'a', '--old-expires-in', '0']);
    assert.match(ended, /^rotated; the previous secret is not valid any more\n/);
  });

  test('says that there was no previous secret when all were deleted, as after the loss of their key', async () => {
    const { data, json, run } = await onNewDatabase();
    await json(['app', 'create', '--name', 'A', '--app-id', 'a']);
    using database = new DatabaseSync(join(data, 'fieldroster.db'));
    database.exec('delete from application_secret');
    const { stdout } = await run(['app', 'rotate', 'a']);
    assert.match(stdout, /^rotated; there was no previous secret\n/);
    database.exec('delete from application_secret');
    assert.equal((await json(['app', 'rotate', 'a'])).old_secret_expires_at, null);
  });

  test('says which secret a rotation during another one ends', async () => {
    const { json, run } = await onNewDatabase();
    await json(['app', 'create', '--name', 'A', '--app-id', 'a']);
    await json(['app', 'rotate', 'a']);
    const createdAt = async () => (await json(['app', 'show', 'a'])).secrets[0].created_at;
    const oldest = await createdAt();
    const { stdout } = await run(['app', 'rotate', 'a']);
    const line = `the secret of ${oldest} has ended, because an application has at most two; no use is recorded; a use in the last 30 seconds may not be recorded yet`;
    assert.equal(stdout.split('\n')[1], line);
    const next = await createdAt();
    const { ended_secrets } = await json(['app', 'rotate', 'a']);
    assert.deepEqual(ended_secrets, [{ created_at: next, last_used_at: null }]);
  });

  test('replaces a lost secret, and leaves the one that clients use', async () => {
    const { data, json, run } = await onNewDatabase();
    await json(['app', 'create', '--name', 'A', '--app-id', 'a', '--app-secret', ownSecret]);
    const lost = await json(['app', 'rotate', 'a', '--old-expires-in', '1h']);
    const { stdout } = await run(['app', 'rotate', 'a', '--replace-newest']);
    const said =
      /^rotated; the previous secret is valid until (\S+)\nthe secret of \S+ has ended, because the new one replaces it; [\s\S]*^APPSECRET {2}(\w+)$/m;
    const [, until, replacing] = said.exec(stdout) ?? [];
    assert.equal(until, lost.old_secret_expires_at, stdout);
    const { database, vault } = await openDirectory({ data, environment: {} });
    const application = await database.applications.findApplication('a');
    await database.close();
    const secrets = application?.secrets.map(({ sealed }) => vault.open('a', sealed));
    assert.deepEqual(secrets, [ownSecret, replacing]);
    assert.notEqual(replacing, lost.app_secret);
  });

  test('refuses a malformed duration, and an unknown or revoked APPID', async () => {
    const { json, run } = await onNewDatabase();
    for (const duration of ['24', '1w', '-1h', '4000d', '']) {
      const { exitCode, stderr } = await run(['app', 'rotate', 'a', `--old-expires-in=${duration}`]);
      assert.equal(exitCode, 2);
      assert.match(
        stderr,
        new RegExp(
          `--old-expires-in <duration>' argument '${duration}' is invalid\\. It must be 0 or .* 24h`,
        ),
      );
    }
    assert.deepEqual(await run(['app', 'rotate', 'a']), {
      exitCode: 1,
      stdout: '',
      stderr: 'fieldroster: there is no application a; fieldroster app list shows the APPIDs\n',
    });
    await json(['app', 'create', '--name', 'A', '--app-id', 'a']);
    assert.deepEqual(await json(['app', 'revoke', 'a']), { app_id: 'a', status: 'revoked' });
    assert.equal(
      (await run(['app', 'rotate', 'a'])).stderr,
      'fieldroster: the application a is revoked for good; issue another: fieldroster app create\n',
    );
    assert.equal(
      (await run(['app', 'revoke', 'b'])).stderr,
      'fieldroster: there is no application b; fieldroster app list shows the APPIDs\n',
    );
  });
});

/** Two seconds are promised. Other tests may keep the machine busy for longer. */
const followMs = atScale({ bounded: 60_000, full: 2_000 });

test('a running server follows create, rotate and revoke', async () => {
  const { data, json } = await onNewDatabase();
  const server = await startServe(['--data', data]);
  const within = async (expected: number, appSecret: string) => {
    const target = { url: server.url, appId: 'a', appSecret };
    for (const startMs = performance.now(); ; await delay(20)) {
      // A call that was sent in time may see the old state, and its answer may come late.
      const isEarly = performance.now() - startMs < followMs;
      const { text } = await sendSigned(target, { method: 'GET', path: '/user?user_id=1' });
      const { code } = JSON.parse(text);
      if (code === expected) return;
      assert.ok(isEarly, `still ${code} after ${followMs} ms`);
    }
  };
  const unknownUser = 1101;
  const issued = await json(['app', 'create', '--name', 'A', '--app-id', 'a']);
  await within(unknownUser, issued.app_secret);
  const rotated = await json(['app', 'rotate', 'a', '--old-expires-in', '0']);
  await within(unknownUser, rotated.app_secret);
  await within(1014, issued.app_secret);
  await json(['app', 'revoke', 'a']);
  await within(1013, rotated.app_secret);
  assert.equal(await server.stop(), 0);
});

test('a database of another master key is not touched', async () => {
  const { data, json, run } = await onNewDatabase();
  await json(['app', 'create', '--name', 'A']);
  const env = { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };
  const { exitCode, stderr } = await run(['app', 'create', '--name', 'B'], env);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^fieldroster: the master key is not the one [^\n]*\n$/);
  const database = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
  assert.equal(database.prepare('select count(*) as count from application').get()?.count, 1);
  database.close();
});
