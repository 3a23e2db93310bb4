import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { signRequest } from '@fieldroster/signing';
import { reservePort } from '../../../server/test/reserve-port.ts';
import { openTestPostgres } from '../../../server/test/test-postgres.ts';
import {
  collect,
  runCommand,
  signalUntilEnded,
  startCommand,
  temporaryFolder,
} from '../../test/run-command.ts';
import { type ServeProcess, startServe } from '../../test/serve-process.ts';
import { sendSigned } from '../call/send-signed.ts';

const folder = temporaryFolder();
const json = async (data: string, ...words: string[]) =>
  JSON.parse((await runCommand([...words, '--data', data, '--json'])).stdout);

/** Started like this, a server prints for a person, also into a pipe. */
const npmStart = { env: { npm_lifecycle_event: 'start' } };

/** Returns the messages of the log's lines. */
const messagesOf = (output: string): string[] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg);

describe('serve --sample', () => {
  const data = join(folder, 'sample');

  test('loads the sample and prints, once, a first application and a call that works as pasted', async () => {
    const server = await startServe(['--sample', '--data', data, '--base-path', '/api/v1'], npmStart);
    const [, script = ''] =
      /paste this into bash:\n\n([\s\S]+)\n\n$/.exec(await printed(server, '"Nonce: $NONCE"\n')) ?? [];
    const pasted = await collect(spawn('bash', ['-euc', script], { stdio: ['ignore', 'pipe', 'pipe'] }));
    assert.equal(pasted.stderr, '');
    assert.match(pasted.stdout, /\}\n$/, 'the prompt of the shell comes on a line of its own');
    const { code, data: user } = JSON.parse(pasted.stdout);
    assert.deepEqual([code, user.username], [0, 'ada']);
    const [application] = await json(data, 'app', 'list');
    assert.equal(application.name, 'First application');
    const counts = ['role', 'org', 'store'].map(async (noun) => (await json(data, noun, 'list')).length);
    assert.deepEqual(await Promise.all(counts), [3, 9, 40]);
    assert.equal(await server.stop('SIGINT'), 0);
  });

  test('ends if it listens already and the first application cannot be issued, and the next start issues it', {
    timeout: 240_000,
  }, async (t) => {
    const data = join(folder, 'no-application');
    // Spoils the key once the server listens, as a disk could.
    const spoil = `import { renameSync, writeFileSync } from 'node:fs'; import { Server } from 'node:net';
      const [key, { emit }] = [${JSON.stringify(join(data, 'master.key'))}, Server.prototype];
      Server.prototype.emit = function (name, ...rest) {
        if (name === 'listening') { renameSync(key, key + '.kept'); writeFileSync(key, ''); }
        return emit.call(this, name, ...rest);
      };`;
    const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(spoil)}"` };
    const words = ['serve', '--sample', '--port', '0', '--data', data, '--log-level', 'silent'];
    const child = startCommand(words, { env });
    t.after(() => child.kill('SIGKILL'));
    const { exitCode, stdout, stderr } = await collect(child);
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(JSON.parse(stderr).msg, /master\.key must contain 32 bytes/);
    renameSync(join(data, 'master.key.kept'), join(data, 'master.key'));
    const server = await startServe(['--sample', '--data', data], npmStart);
    await printed(server, 'APPSECRET  ');
    assert.equal(await server.stop(), 0);
  });

  test('lists the directory, including earlier imports', async () => {
    const data = join(folder, 'listed');
    const file = join(folder, 'many-stores.csv');
    const rows = Array.from({ length: 13 }, (_, index) => `M-${10 + index},Store`);
    writeFileSync(file, `code,name\n${rows.join('\n')}\n`);
    await runCommand(['store', 'import', file, '--data', data]);
    const server = await startServe(['--sample', '--data', data], npmStart);
    const output = await printed(server, 'APPSECRET  ');
    const lines = output.split('\n').filter((line) => /^ {2}(roles|org|stores|users)/.test(line));
    assert.deepEqual(lines, [
      '  roles          1 Sales representative, 2 Team leader, 3 Regional manager',
      '  organizations  1 Harbour Foods, 10 North region, 11 North coast team, 12 Lakes team, 13 Harbour team, 20 South region, 21 Hills team, 22 South coast team, 23 Islands team',
      `  stores         ${Array.from({ length: 9 }, (_, index) => `M-${10 + index}`).join(', ')}, …`,
      '  users          none yet; the call below creates one',
    ]);
    await server.stop();
  });

  test('prints no secret on a later start and issues nothing', async () => {
    const server = await startServe(['--sample', '--data', data], npmStart);
    assert.match(server.output(), /\nFieldroster listens on [^\n]+\n$/);
    assert.doesNotMatch(server.output(), /APPSECRET|A first application/);
    assert.equal(await server.stop(), 0);
    assert.equal((await json(data, 'app', 'list')).length, 1);
  });

  test('prints the link to the console for npm start, even into a pipe, and into no other log', async () => {
    const flags = ['--sample', '--data', data];
    const started = await startServe(flags, npmStart);
    const { origin } = new URL(started.url);
    assert.ok(started.output().includes(`  ${origin}/console/link#`), 'there is no owner yet');
    await started.stop();
    for (const env of [{}, { npm_lifecycle_event: 'test' }]) {
      const logged = await startServe(flags, { env });
      assert.doesNotMatch(logged.output(), /link#/);
      assert.equal(messagesOf(logged.output())[0], consoleLine(logged.url, data));
      await logged.stop();
    }
  });

  test('prints a command for the owner that a POSIX shell reads as meant, whatever the name of the folder', async () => {
    const data = join(folder, `it's a "folder" of $HOME`);
    const server = await startServe(['--sample', '--data', data]);
    const [, printed = ''] = /, run: (.*)/.exec(messagesOf(server.output())[0] ?? '') ?? [];
    await server.stop();
    const script = `fieldroster() { printf '%s\\n' "$@"; }; ${printed}`;
    const { stdout, stderr } = await collect(
      spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    assert.equal(stderr, '');
    const flags = ['--data', data, '--console-url', `${server.url}/console`];
    assert.deepEqual(stdout.split('\n'), ['operator', 'invite', '--role', 'owner', ...flags, '']);
  });

  test('prints one line of JSON for scripts', async () => {
    const server = await startServe(['--sample', '--data', join(folder, 'json'), '--json']);
    const { url, app_id, app_secret } = JSON.parse(server.output());
    assert.equal(url, server.url);
    const env = { FIELDROSTER_URL: url, FIELDROSTER_APP_ID: app_id, FIELDROSTER_APP_SECRET: app_secret };
    const { stdout } = await runCommand(['call', 'GET', '/user?user_id=81'], { env });
    assert.equal(JSON.parse(stdout).code, 1101);
    await server.stop();
  });

  test('completes a first start that was killed in the middle', async () => {
    for (const file of ['master.key', 'fieldroster.db']) {
      const data = join(folder, `killed-at-${file}`);
      mkdirSync(data, { mode: 0o700 });
      const over = new AbortController();
      const appeared = untilThere(data, file, over.signal);
      const child = startCommand(['serve', '--sample', '--port', '0', '--data', data]);
      const ended = collect(child).finally(() => over.abort());
      await appeared;
      child.kill('SIGKILL');
      await ended;
      const issued = countApplications(data);
      const server = await startServe(['--sample', '--data', data, '--json']);
      assert.equal('app_id' in JSON.parse(server.output()), issued === 0);
      assert.equal((await json(data, 'store', 'list')).length, 40);
      await server.stop();
    }
  });

  test('says how to get a secret after a kill before the first one was printed, until there is a new one', async () => {
    const data = join(folder, 'killed-before-printing');
    mkdirSync(data, { mode: 0o700 });
    const diesBeforePrinting = `const { write } = process.stdout;
      process.stdout.write = function (text, ...rest) {
        if (String(text).includes('APPSECRET')) process.kill(process.pid, 'SIGKILL');
        return write.call(this, text, ...rest);
      };`;
    const child = startCommand(['serve', '--sample', '--port', '0', '--data', data], {
      env: {
        ...npmStart.env,
        NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(diesBeforePrinting)}"`,
      },
    });
    const { stdout } = await collect(child);
    assert.equal(child.signalCode, 'SIGKILL');
    assert.doesNotMatch(stdout, /APPSECRET/);
    assert.ok(countApplications(data) > 0);
    const [{ app_id: appId }] = await json(data, 'app', 'list');
    const command = `app rotate ${appId} --data ${data}`;
    const advice = `The first application ${appId} has never been used; if you do not have its secret, run:`;
    const server = await startServe(['--sample', '--data', data], npmStart);
    const typed = `\n${advice} npx fieldroster ${command}\nFieldroster listens on `;
    assert.ok(server.output().includes(typed), server.output());
    assert.equal(await server.stop(), 0);
    const logged = await startServe(['--sample', '--data', data]);
    assert.ok(messagesOf(logged.output()).includes(`${advice} fieldroster ${command}`), logged.output());
    assert.equal(await logged.stop(), 0);
    assert.match((await runCommand(command.split(' '))).stdout, /APPSECRET {2}\S{20,}\n/);
    const later = await startServe(['--sample', '--data', data], npmStart);
    assert.doesNotMatch(later.output(), /The first application/);
    assert.equal(await later.stop(), 0);
  });

  test('does not mix the sample with earlier imports', async () => {
    const data = join(folder, 'mixed');
    const file = join(folder, 'own.csv');
    writeFileSync(file, 'code,name\nOWN,My own store\n');
    await runCommand(['store', 'import', file, '--data', data]);
    const server = await startServe(['--sample', '--data', data, '--json']);
    assert.deepEqual(await json(data, 'store', 'list'), [{ code: 'OWN', name: 'My own store', address: '' }]);
    using database = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
    assert.equal(database.prepare('select count(*) as count from user').get()?.count, 0);
    await server.stop();
  });

  test('on a taken port leaves no new folder behind, and does not use up the first secret of an old one', async () => {
    const data = join(folder, 'taken');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const words = ['serve', '--sample', '--data', data, '--port', String(port), '--log-level', 'silent'];
    const failToStart = async () => {
      const failed = await runCommand(words);
      assert.deepEqual([failed.exitCode, failed.stdout], [1, '']);
      assert.deepEqual(messagesOf(failed.stderr), [
        `cannot listen on 127.0.0.1:${port}: another program listens there already; choose another port with --port or FIELDROSTER_PORT`,
      ]);
    };
    await failToStart();
    assert.ok(!existsSync(data));
    await runCommand(['operator', 'invite', '--data', data]);
    await failToStart();
    other.close();
    assert.deepEqual(await json(data, 'app', 'list'), []);
  });
});

/** The line about the console when the server does not print the link. */
const consoleLine = (url: string, data: string) =>
  `The console is at ${url}/console; for a link that makes its first owner, run: fieldroster operator invite --role owner --data ${data} --console-url ${url}/console`;

test('the command for the first owner names the database of the server, without the password in its URL', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const data = join(folder, 'on-postgres');
  const server = await startServe(['--data', data, '--database', await postgres.createMigratedDatabase()]);
  assert.match(
    server.output(),
    /run: fieldroster operator invite --role owner --data \S+ --database URL --console-url /,
  );
  assert.doesNotMatch(server.output(), /postgres:\/\//);
  assert.equal(await server.stop(), 0);
});

/** Resolves with the output once it contains the text that many times. The output may arrive in pieces. */
async function printed(server: ServeProcess, text: string, times = 1): Promise<string> {
  await server.until(() => server.output().split(text).length > times);
  return server.output();
}

/** Resolves once the folder contains a file of that name; rejects if the signal comes first. */
async function untilThere(folder: string, name: string, signal: AbortSignal): Promise<void> {
  for await (const { filename } of watch(folder, { signal })) if (filename === name) return;
}

function countApplications(data: string): number {
  try {
    const database = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
    const row = database.prepare('select count(*) as count from application').get();
    database.close();
    return Number(row?.count);
  } catch {
    return 0;
  }
}

test('serve with several workers acts as one server: reloaded by SIGHUP, stopped by one signal', async () => {
  const server = await startServe([
    '--data',
    join(folder, 'workers'),
    '--workers',
    '2',
    '--sample',
    '--json',
    '--log-level',
    'info',
  ]);
  const listening = '"msg":"listening"';
  await printed(server, '"app_id"');
  const [, appId = '', appSecret = ''] =
    /"app_id":"([^"]+)","app_secret":"([^"]+)"/.exec(server.output()) ?? [];
  await printed(server, listening, 2);
  const target = { url: server.url, appId, appSecret };
  const codes = new Set<number>();
  const read = async () => {
    const { text } = await sendSigned(target, { method: 'GET', path: '/user?user_id=81' });
    codes.add(JSON.parse(text).code);
  };
  await read();
  server.child.kill('SIGHUP');
  let restarted = false;
  const restart = printed(server, listening, 4).then(() => {
    restarted = true;
  });
  while (!restarted) await read();
  await restart;
  assert.deepEqual([...codes], [1101]);
  assert.equal(await server.stop(), 0);
});

if (process.platform !== 'win32')
  test('a first start that nobody can read says how to replace its secret, and serves', async () => {
    const stdout = openSync('/dev/null', 'w');
    const data = join(folder, 'unread');
    const child = startCommand(['serve', '--sample', '--json', '--data', data, '--port', '0'], { stdout });
    closeSync(stdout);
    let told = '';
    for await (const part of child.stderr ?? []) {
      told += part;
      if (told.endsWith('\n')) child.kill('SIGTERM');
    }
    const [, rotate = ''] =
      /^fieldroster: the APPSECRET of fr\w+ could not be printed; for another one, run: fieldroster (app rotate .*)\n$/.exec(
        told,
      ) ?? [];
    assert.match((await runCommand(rotate.split(' '))).stdout, /^APPSECRET {2}/m, told);
  });

test('a second signal ends a server that still waits for a request', async () => {
  const words = ['--data', join(folder, 'waiting'), '--sample', '--json'];
  const server = await startServe([...words, '--port', String(await reservePort())]);
  const { app_id: appId, app_secret: appSecret } = JSON.parse(server.output());
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const { headers } = signRequest({ appId, appSecret, method: 'POST', target: '/user', body: '{}' });
  const lines = Object.entries({ ...headers, 'Content-Length': '2', Expect: '100-continue' });
  socket.write(
    `POST /user HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  // The server asks for the body once it has accepted the headers.
  await once(socket, 'data');
  server.child.kill('SIGINT');
  server.child.kill('SIGTERM');
  // The server has noticed the first signal once it accepts no more connections.
  while (
    await fetch(server.url).then(
      () => true,
      () => false,
    )
  )
    await delay(20);
  assert.equal(server.child.exitCode, null, 'an immediate second signal counts as the same one');
  await signalUntilEnded(server.child, 'SIGINT');
  assert.equal(server.child.exitCode, 1);
  socket.destroy();
});

test('serve ends, and says why, if no data folder can be created', { timeout: 240_000 }, async (t) => {
  // Below /proc, creating a folder always fails with "no such file".
  const child = startCommand(['serve', '--port', '0', '--data', '/proc/fieldroster/data']);
  t.after(() => child.kill('SIGKILL'));
  const { exitCode, stderr } = await collect(child);
  assert.equal(exitCode, 1);
  assert.match(
    messagesOf(stderr).join('\n'),
    /^\/proc\/fieldroster\/data cannot be the data folder: [^\n]+; choose another with --data or FIELDROSTER_DATA$/,
  );
});

test('serve without --sample issues nothing and loads nothing', async () => {
  const data = join(folder, 'plain');
  const server = await startServe(['--data', data], npmStart);
  // Another package's npm start may be a service with a log.
  assert.deepEqual(messagesOf(server.output()), [
    consoleLine(server.url, data),
    `Fieldroster listens on ${server.url}`,
  ]);
  assert.deepEqual(await json(data, 'app', 'list'), []);
  assert.deepEqual(await json(data, 'store', 'list'), []);
  assert.equal(await server.stop(), 0);
  rmSync(data, { recursive: true });
});
