import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingDefinitions } from '@fieldroster/server/admin';
import { cleanEnvironment, commandPath } from '../../../../scripts/testing/command-under-test.ts';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe, watchServe } from '../../test/serve-process.ts';
import { sendSigned } from '../call/send-signed.ts';

const folder = temporaryFolder();

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

interface Printed {
  readonly name: string;
  readonly value: unknown;
  readonly origin: string;
}

/** Runs `config check`, and returns what it found of each setting by name. */
async function check(words: readonly string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await runCommand(['config', 'check', ...words, '--json'], {
    env,
    cwd: folder,
  });
  const printed: Printed[] = JSON.parse(stdout);
  const byName = new Map(printed.map(({ name, value, origin }) => [name, [value, origin]]));
  return { exitCode, stderr, byName };
}

test('config check prints each value with its origin: flag, environment, file or default', async () => {
  const path = write('origins.toml', 'port = 1\nhost = "0.0.0.0"\nreplay = "off"\n');
  const env = { FIELDROSTER_CONFIG: path, FIELDROSTER_HOST: '::1', FIELDROSTER_DRAIN: '5' };
  const { exitCode, stderr, byName } = await check(['--port', '3'], env);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.equal(byName.size, settingDefinitions.length + 1, 'every setting, and the master key');
  assert.deepEqual(byName.get('port'), [3, '--port']);
  assert.deepEqual(byName.get('host'), ['::1', 'FIELDROSTER_HOST']);
  assert.deepEqual(byName.get('replay'), ['off', `replay in ${path}`]);
  assert.deepEqual(byName.get('drain'), [5, 'FIELDROSTER_DRAIN']);
  assert.deepEqual(byName.get('docs'), [true, 'default']);
  assert.deepEqual(byName.get('master key'), ['(none yet)', 'a first start makes one in ./data']);
});

test('config check names the folder of a key that a first start would make, even for an empty setting', async () => {
  const { byName } = await check(['--config', write('here.toml', 'data = ""\n')]);
  assert.deepEqual(byName.get('master key'), ['(none yet)', `a first start makes one in ${folder}`]);
});

test('config check shows a switch by the word that flags, variables and files accept', async () => {
  const path = write('switches.toml', 'docs = true\nconsole = "off"\n');
  const { stdout } = await runCommand(['config', 'check', '--config', path]);
  for (const line of [/^docs +on /m, /^console +off /m, /^migrate +yes /m]) assert.match(stdout, line);
});

test('a URL that the driver cannot use is refused with its setting and its fault, but without its password', async () => {
  const secret = 'hunter2';
  const certificate = join(folder, 'no-such.pem');
  const run = async (words: readonly string[], env: Record<string, string>) => {
    const { exitCode, stdout, stderr } = await runCommand(words, { env, cwd: folder });
    assert.ok(!`${stdout}${stderr}`.includes(secret), stderr);
    return { exitCode, stderr };
  };
  for (const [tail, fault] of [
    ['@127.0.0.1 x/fr', 'without white space in its host'],
    ['@127.0.0.1, 127.0.0.2/fr', 'without white space in its host'],
    ['@127.0.0.1:x/fr', 'whose port is a number from 1 to 65535'],
    ['#@127.0.0.1/fr', 'without the character #'],
    ['@127.0.0.1/fr?sslmode=bogus', 'whose sslmode is one of disable, allow, prefer,'],
    [`@127.0.0.1/fr?sslrootcert=${certificate}`, 'whose sslrootcert names a file that this user can read'],
  ] as const) {
    const url = `postgres://u:${secret}${tail}`;
    const checked = await run(['config', 'check', '--database-replica', url], {
      FIELDROSTER_DATABASE_URL: url,
    });
    assert.equal(checked.exitCode, 1);
    for (const name of ['FIELDROSTER_DATABASE_URL', '--database-replica'])
      assert.ok(
        checked.stderr.includes(`${name} is not accepted; it must be a URL ${fault}`),
        checked.stderr,
      );
  }
  const served = await run(['serve', '--database', `postgres://u:${secret}@127.0.0.1:x/fr`], {});
  assert.equal(served.exitCode, 2);
  assert.match(served.stderr, /^fieldroster: --database is not accepted; it must be a URL whose port is/);
});

test('config check shows a duration as every source accepts it', async () => {
  const words = ['--backup-every', '1h', '--backup-to', folder];
  const { exitCode, byName } = await check(words);
  assert.deepEqual([exitCode, byName.get('backup-every')], [0, ['1h', '--backup-every']]);
  assert.match(
    (await runCommand(['config', 'check', ...words])).stdout,
    /^backup-every +1h +--backup-every$/m,
  );
});

test('config check hides secrets, wherever they come from', async () => {
  // This text could be a master key too: 32 bytes in Base64.
  const secret = 'hunter2hunter2hunter2hunter2hunter2hunter2g';
  const url = `postgres://u:${secret}@localhost/x`;
  const config = write('secret.toml', `database = "${url}"\n`);
  const urlFile = write('url', `${url}\n`);
  const runs: readonly (readonly [string[], Record<string, string>, string])[] = [
    [['--config', config], {}, `database in ${config}`],
    [['--database', url], {}, '--database'],
    [[], { FIELDROSTER_DATABASE_URL: url }, 'FIELDROSTER_DATABASE_URL'],
    [[], { FIELDROSTER_DATABASE_URL_FILE: urlFile }, 'FIELDROSTER_DATABASE_URL_FILE'],
  ];
  for (const [words, env, origin] of runs) {
    const given = { ...env, FIELDROSTER_MASTER_KEY: secret };
    const { stdout, stderr } = await runCommand(['config', 'check', ...words], { env: given, cwd: folder });
    assert.ok(!`${stdout}${stderr}`.includes(secret), origin);
    const { exitCode, byName } = await check(words, given);
    assert.equal(exitCode, 0);
    assert.deepEqual(byName.get('database'), ['(hidden)', origin]);
    assert.deepEqual(byName.get('master key'), ['(hidden)', 'FIELDROSTER_MASTER_KEY']);
  }
});

test('config check reports every error, and exits with 1', async () => {
  const path = write('wrong.toml', 'prot = 1\nport = 70000\nhost = 7\n');
  const env = { FIELDROSTER_WORKERS: 'many', FIELDROSTER_UNKNOWN: '1' };
  const { exitCode, stderr, byName } = await check(['--config', path], env);
  assert.equal(exitCode, 1);
  const lines = stderr.trim().split('\n');
  assert.equal(lines.length, 5);
  for (const part of [
    'FIELDROSTER_UNKNOWN',
    `${path}: there is no setting "prot"; did you mean port?`,
    `${path}: host is a number, 7; it must be a string in quotes`,
    `port in ${path} is "70000"`,
    'FIELDROSTER_WORKERS is "many"',
  ]) {
    assert.ok(
      lines.some((line) => line.includes(part)),
      part,
    );
  }
  assert.deepEqual(byName.get('port'), ['(not accepted)', `port in ${path}`]);
  assert.deepEqual(byName.get('host'), ['(not accepted)', `host in ${path}`]);
});

test('config check shows where the previous master key comes from while the key is being replaced', async () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const previous = Buffer.alloc(32, 8).toString('base64');
  const variable = { FIELDROSTER_MASTER_KEY: key, FIELDROSTER_MASTER_KEY_PREVIOUS: previous };
  const file = {
    FIELDROSTER_MASTER_KEY: key,
    FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: write('previous', previous),
  };
  for (const [env, origin] of [
    [variable, 'FIELDROSTER_MASTER_KEY_PREVIOUS'],
    [file, 'FIELDROSTER_MASTER_KEY_PREVIOUS_FILE'],
  ] as const) {
    const { exitCode, byName } = await check([], env);
    assert.deepEqual([exitCode, byName.get('previous master key')], [0, ['(hidden)', origin]]);
  }
  const data = join(folder, 'rotating');
  mkdirSync(data);
  for (const name of ['master.key', 'master.key.previous']) write(join('rotating', name), key);
  const own = (await check(['--data', data])).byName;
  assert.deepEqual(own.get('previous master key'), ['(hidden)', join(data, 'master.key.previous')]);
  const unread = (await check(['--data', data], { FIELDROSTER_MASTER_KEY: key })).byName;
  assert.equal(unread.get('previous master key'), undefined);
});

test('config check reports valid settings with which serve would not start', async () => {
  const path = write('contradicts.toml', 'backup-every = "6h"\nmetrics = "127.0.0.1:8080"\n');
  const { exitCode, stderr } = await check(['--config', path]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /--backup-every needs the folder of the backups/);
  assert.match(stderr, /--port and --metrics are both 8080/);
});

test('config check finds contradictions among the valid settings beside a wrong one, and none that depends on it', async () => {
  const wrong = await check(['--replay', 'sometimes', '--backup-every', '6h', '--metrics', '127.0.0.1:8080']);
  assert.equal(wrong.exitCode, 1);
  for (const line of [
    /--replay is "sometimes"; it must be/,
    /--backup-every needs the folder/,
    /--port and --metrics are both 8080/,
  ])
    assert.match(wrong.stderr, line);
  const unknown = await check(['--port', 'x', '--backup-to', 'y', '--metrics', '0.0.0.0:8080'], {
    FIELDROSTER_BACKUP_EVERY: 'daily',
    FIELDROSTER_CONSOLE_LISTEN: '8080',
  });
  assert.doesNotMatch(unknown.stderr, /needs|--port and/);
  assert.match(unknown.stderr, /--console-listen and --metrics are both 8080/);
});

test('config check finds every secret that cannot be read, and judges the other settings', async () => {
  const { exitCode, stderr, byName } = await check(['--database-replica', 'postgres://u@db.example/x'], {
    FIELDROSTER_DATABASE_URL_FILE: '/nowhere/url',
    FIELDROSTER_MASTER_KEY_FILE: '/nowhere/key',
    FIELDROSTER_REPLY: 'off',
  });
  assert.equal(exitCode, 1);
  for (const line of [
    /FIELDROSTER_DATABASE_URL_FILE names \/nowhere\/url, which does not exist/,
    /FIELDROSTER_MASTER_KEY_FILE names \/nowhere\/key, which does not exist/,
    /ignoring the environment variable FIELDROSTER_REPLY/,
    /the database at db\.example would be reached without TLS/,
  ])
    assert.match(stderr, line);
  assert.doesNotMatch(stderr, /there is no --database for it/);
  for (const [name, variable] of [
    ['database', 'FIELDROSTER_DATABASE_URL_FILE'],
    ['master key', 'FIELDROSTER_MASTER_KEY_FILE'],
  ] as const)
    assert.deepEqual(byName.get(name), ['(not accepted)', variable]);
});

test('config check judges no default that a file might replace that cannot be read', async () => {
  const words = ['config', 'check', '--backup-every', '6h', '--database-insecure', 'yes'];
  const { stderr } = await runCommand([...words, '--config', join(folder, 'gone.toml')], { cwd: folder });
  assert.match(stderr, /gone\.toml, which does not exist/);
  assert.doesNotMatch(stderr, /needs the folder|there is no --database/);
});

test('config check warns of what serve warns of and starts with: a replica without a database, a missing folder', async () => {
  const words = ['--backup-every', '6h', '--backup-to', join(folder, 'no backups')];
  const env = { FIELDROSTER_DATABASE_REPLICA_URL: 'postgres://u@db.example/x' };
  const warnings = [
    '--database-replica is set, but there is no --database for it; set --database, or remove --database-replica',
    `there is no folder ${join(folder, 'no backups')}; create it, or name the right one with --backup-to`,
  ];
  const { exitCode, stderr } = await check(words, env);
  assert.deepEqual([exitCode, stderr], [0, warnings.map((line) => `fieldroster: ${line}\n`).join('')]);
  const server = await startServe(['--data', join(folder, 'warned'), '--log-level', 'warn', ...words], {
    env,
  });
  await server.until(() => warnings.every((line) => server.output().includes(`"msg":"${line}"`)));
  assert.equal(await server.stop(), 0);
});

test('config check and serve say that the folder of the backups is a file', async () => {
  const file = write('backups', 'not a folder');
  const words = ['--backup-every', '6h', '--backup-to', file];
  const warning = `--backup-to names ${file}, which is not a folder; name a folder, or remove what is there`;
  const { exitCode, stderr } = await check(words);
  assert.deepEqual([exitCode, stderr], [0, `fieldroster: ${warning}\n`]);
  const server = await startServe(['--data', join(folder, 'filed'), '--log-level', 'warn', ...words]);
  await server.until(() => server.output().includes(`"msg":"${warning}"`));
  assert.equal(await server.stop(), 0);
});

test('config check reports a database that serve would refuse, because nothing proves that it is the right one', async () => {
  const url = 'postgres://u:geheim@db.example/x';
  const path = write('insecure.toml', `database = "${url}"\n`);
  const { exitCode, stderr } = await check(['--config', path]);
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /the database at db\.example would be reached without TLS; add sslmode=verify-full to its URL/,
  );
  assert.ok(!stderr.includes('geheim'));
  assert.equal((await check(['--config', path, '--database-insecure', 'yes'])).exitCode, 0);
});

test('config check reports every error but no values if the file cannot be read', async () => {
  const twice = { FIELDROSTER_DATABASE_URL: 'postgres://a/b', FIELDROSTER_DATABASE_URL_FILE: '/nowhere' };
  for (const [path, fault] of [
    ['missing.toml', /missing\.toml, which does not exist/],
    [write('junk.toml', 'port'), /junk\.toml, line 1, column \d+: not valid TOML/],
  ] as const) {
    const words = ['config', 'check', '--config', path];
    const asText = await runCommand(words, { env: twice, cwd: folder });
    assert.deepEqual([asText.exitCode, asText.stdout], [1, '']);
    assert.match(asText.stderr, /are both set; unset one of them/);
    assert.match(asText.stderr, fault);
    const asJson = await runCommand([...words, '--json'], { cwd: folder });
    assert.deepEqual([asJson.exitCode, asJson.stdout], [1, '[]\n']);
  }
});

test('config check shows the other values when a secret is given twice', async () => {
  const twice = { FIELDROSTER_DATABASE_URL: 'postgres://a/b', FIELDROSTER_DATABASE_URL_FILE: '/nowhere' };
  const { exitCode, stderr, byName } = await check([], twice);
  assert.equal(exitCode, 1);
  assert.match(stderr, /are both set; unset one of them/);
  assert.deepEqual(byName.get('port'), [8080, 'default']);
});

test('commands on the database find it through the configuration file, and serve serves it', async () => {
  const data = join(folder, 'by config');
  const path = write(
    'served.toml',
    `data = ${JSON.stringify(data)}\nbase-path = "/api/v1"\nport = 1\ndrain = 0\n`,
  );
  const env = { FIELDROSTER_CONFIG: path };
  const issued = await runCommand(['app', 'create', '--name', 'A', '--json'], { env });
  assert.match(issued.stderr, /created a new database in .*by config/);
  const { app_id: appId, app_secret: appSecret } = JSON.parse(issued.stdout);
  const listed = await runCommand(['app', 'list', '--json', '--config', path]);
  assert.equal(JSON.parse(listed.stdout)[0].app_id, appId);
  const server = await startServe(['--config', path, '--workers', '2']);
  assert.match(server.url, /\/api\/v1$/, 'the flag --port won over the file');
  for (let count = 0; count < 4; count += 1) {
    const { text } = await sendSigned(
      { url: server.url, appId, appSecret },
      { method: 'GET', path: '/user?user_id=1' },
    );
    assert.equal(JSON.parse(text).code, 1101);
  }
  assert.equal(await server.stop(), 0);
});

test('a command ignores what the file says about other settings, but not a file that it cannot read', async () => {
  const data = join(folder, 'other');
  mkdirSync(data);
  const path = write('other.toml', `data = ${JSON.stringify(data)}\nport = "wrong"\nunknown = 1\n`);
  await runCommand(['tenant', 'create', 'acme', '--config', path]);
  const { stdout } = await runCommand(['tenant', 'list', '--config', path, '--json']);
  assert.equal(JSON.parse(stdout).length, 2);
  const missing = await runCommand(['tenant', 'list', '--config', join(folder, 'nope.toml')]);
  assert.deepEqual([missing.exitCode, missing.stdout], [2, '']);
  assert.match(missing.stderr, /nope\.toml, which does not exist/);
});

test('serve does not start with a configuration file that has an error', async () => {
  const path = write('unserved.toml', 'replay = "sometimes"\n');
  const { exitCode, stdout, stderr } = await runCommand(['serve', '--config', path, '--port', '0']);
  assert.deepEqual([exitCode, stdout], [2, '']);
  assert.equal(
    stderr,
    `fieldroster: replay in ${path} is "sometimes"; it must be one of write, nonce, off\n`,
  );
});

test('on SIGHUP the workers read the file again; if it has an error, the old workers stay', async () => {
  const data = join(folder, 'reloaded');
  const settings = (replay: string) => `data = ${JSON.stringify(data)}\nworkers = 2\nreplay = "${replay}"\n`;
  const path = write('reloaded.toml', settings('nonce'));
  const issued = await runCommand(['app', 'create', '--name', 'A', '--json', '--config', path]);
  const { app_id: appId, app_secret: appSecret } = JSON.parse(issued.stdout);
  const server = await startServe(['--config', path, '--log-level', 'info']);
  const timesListening = (replay: string) => server.output().split(`"replay":"${replay}"`).length - 1;
  await server.until(() => timesListening('nonce') === 2);
  write('reloaded.toml', settings('off'));
  server.child.kill('SIGHUP');
  await server.until(() => timesListening('off') === 2);
  write('reloaded.toml', settings('sometimes'));
  server.child.kill('SIGHUP');
  await server.until(() => server.output().includes('the workers were not replaced'));
  assert.match(
    server.output(),
    /replay in .*reloaded\.toml is \\"sometimes\\"; it must be one of write, nonce, off/,
  );
  const { text } = await sendSigned(
    { url: server.url, appId, appSecret },
    { method: 'GET', path: '/user?user_id=1' },
  );
  assert.equal(JSON.parse(text).code, 1101);
  assert.equal(await server.stop(), 0);
});

test('on SIGHUP the workers keep a configuration that came through a pipe, which gives it only once', async (t) => {
  const data = `data = ${JSON.stringify(join(folder, 'piped'))}`;
  const settings = ['port = 0', 'workers = 2', 'replay = "off"', 'log-level = "info"', data];
  const script = 'exec "$0" "$@" --config <(echo "$SETTINGS")';
  const child = spawn('bash', ['-c', script, process.execPath, ...commandPath, 'serve'], {
    env: { ...cleanEnvironment(), SETTINGS: settings.join('\n') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const server = await watchServe(child);
  const timesListening = () => server.output().split('"msg":"listening"').length - 1;
  await server.until(() => timesListening() === 2);
  server.child.kill('SIGHUP');
  await server.until(() => timesListening() === 4);
  assert.equal(server.output().split('"replay":"off"').length - 1, 4);
  assert.equal(await server.stop(), 0);
});

test('a SIGHUP during the start does not end it: the workers read the file again once all of them serve', async () => {
  const settings = (replay: string) =>
    `data = ${JSON.stringify(join(folder, 'reloaded early'))}\nworkers = 2\nreplay = "${replay}"\n`;
  const path = write('reloaded-early.toml', settings('nonce'));
  // It is still starting: only one of the workers listens.
  const server = await startServe(['--config', path, '--log-level', 'info']);
  const times = (text: string) => server.output().split(text).length - 1;
  write('reloaded-early.toml', settings('off'));
  server.child.kill('SIGHUP');
  // A line of one process may arrive before an earlier line of another.
  await server.until(() => times('a worker stopped') === 2 && times('"msg":"listening"') === 4);
  assert.equal(times('"replay":"nonce"'), 2, server.output());
  assert.equal(await server.stop(), 0);
});

test('config check refuses a key file of the data folder in the words of serve', async () => {
  const good = Buffer.alloc(32, 7).toString('base64');
  const cases = [
    ['master.key', 'hunter2', 0o600, 'master key', /the key file \S+master\.key must contain 32 bytes/],
    [
      'master.key',
      good,
      0o644,
      'master key',
      /any user of this machine may read the key file \S+; run: chmod 600/,
    ],
    ['master.key.previous', 'hunter2', 0o600, 'previous master key', /\S+master\.key\.previous must contain/],
  ] as const;
  for (const [index, [file, content, mode, name, message]] of cases.entries()) {
    const data = join(folder, `unusable-${index}`);
    mkdirSync(data);
    write(join(`unusable-${index}`, 'master.key'), good);
    const path = write(join(`unusable-${index}`, file), content);
    chmodSync(path, mode);
    const { exitCode, stderr, byName } = await check(['--data', data]);
    assert.equal(exitCode, 1);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /hunter2/);
    assert.deepEqual(byName.get(name), ['(not accepted)', path]);
    const variable = await check(['--data', data], { FIELDROSTER_MASTER_KEY: good });
    assert.deepEqual([variable.exitCode, variable.stderr], [0, ''], 'serve does not read the files');
    if (name !== 'master key') continue;
    const served = await runCommand(['serve', '--data', data, '--port', '0']);
    assert.equal(served.exitCode, 1);
    assert.match(served.stderr, message);
  }
});

test('config check refuses a master key also beside a previous key that is given twice', async () => {
  const { exitCode, stderr, byName } = await check([], {
    FIELDROSTER_MASTER_KEY: 'short',
    FIELDROSTER_MASTER_KEY_PREVIOUS: 'short',
    FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: write('twice.key', 'short'),
  });
  assert.equal(exitCode, 1);
  const [twice = '', current = '', ...others] = stderr.trim().split('\n');
  assert.match(
    twice,
    /FIELDROSTER_MASTER_KEY_PREVIOUS and FIELDROSTER_MASTER_KEY_PREVIOUS_FILE are both set/,
  );
  assert.match(current, /environment variable FIELDROSTER_MASTER_KEY /);
  assert.deepEqual(others, []);
  assert.equal(byName.get('master key')?.[0], '(not accepted)');
  assert.equal(byName.get('previous master key')?.[0], '(not accepted)');
});

test('config check refuses a master key that serve refuses, and shows no part of it', async () => {
  const key = 'hunter2-hunter2-hunter2';
  const good = Buffer.alloc(32, 7).toString('base64');
  for (const [env, named, refused = 'master key'] of [
    [{ FIELDROSTER_MASTER_KEY: key }, 'environment variable FIELDROSTER_MASTER_KEY'],
    [{ FIELDROSTER_MASTER_KEY_FILE: write('bad.key', key) }, `key file ${join(folder, 'bad.key')}`],
    [
      { FIELDROSTER_MASTER_KEY: good, FIELDROSTER_MASTER_KEY_PREVIOUS: key },
      'environment variable FIELDROSTER_MASTER_KEY_PREVIOUS',
      'previous master key',
    ],
  ] as const) {
    const { exitCode, stderr, byName } = await check([], env);
    assert.equal(exitCode, 1);
    assert.ok(
      stderr.includes(`the ${named} must contain 32 bytes in Base64 or 64 hexadecimal digits`),
      stderr,
    );
    assert.doesNotMatch(stderr, /hunter2/);
    // A previous key is needed only during a rotation, and opens nothing else.
    const isPrevious = refused === 'previous master key';
    assert.equal(stderr.includes('or remove it and run fieldroster key check'), isPrevious, stderr);
    assert.equal(stderr.includes('no other key opens the secrets'), !isPrevious, stderr);
    assert.equal(byName.get(refused)?.[0], '(not accepted)');
    if (refused !== 'master key') assert.equal(byName.get('master key')?.[0], '(hidden)');
  }
  const waiting = {
    FIELDROSTER_MASTER_KEY: good,
    FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: write('none.key', ''),
  };
  const { exitCode, stderr, byName } = await check([], waiting);
  assert.deepEqual([exitCode, stderr, byName.get('master key')?.[0]], [0, '', '(hidden)']);
});
