import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { type ServeProcess, startServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();
const flags = (name: string, ...more: string[]) => [
  '--data',
  join(folder, name),
  ...(more.includes('--log-level') ? [] : ['--log-level', 'info']),
  ...more,
];

interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Reads what a server printed on both streams. Fails unless every line is one of the log. */
function readLines(output: string): Line[] {
  return output
    .trimEnd()
    .split('\n')
    .map((text) => {
      const line = JSON.parse(text) as Line;
      assert.deepEqual(
        [typeof line.level, typeof line.time, typeof line.msg],
        ['number', 'number', 'string'],
        text,
      );
      return line;
    });
}

/** Resolves with the first line that has the message, once it is printed. */
async function printed({ output, until }: ServeProcess, message: RegExp): Promise<Line> {
  const whole = () => output().slice(0, output().lastIndexOf('\n'));
  const find = () => readLines(whole()).find(({ msg }) => message.test(msg));
  await until(() => find() !== undefined);
  return find() as Line;
}

/** Lets a signal make a process of the server fail, as an error in its code would. */
const failsOnSignal = [
  "process.on('SIGUSR2', () => process.emitWarning('planted warning', { code: 'PLANTED' }))",
  "process.on('SIGPIPE', () => { throw Object.assign(new Error('planted crash', { cause: new Error('below') }), { detail: 'planted row' }) })",
].join(';');

for (const [name, format] of [
  ['--log-format json', ['--log-format', 'json']],
  ['without --log-format in a pipe', []],
] as const) {
  describe(`serve ${name}`, () => {
    const given = (data: string, ...more: string[]) => flags(`${data}-${format.length}`, ...format, ...more);

    test('prints nothing but lines of the log, also of the process that supervises the workers', async () => {
      const env = { FIELDROSTER_REPLY: 'nonce' };
      const more = ['--workers', '2', '--metrics', '127.0.0.1:0', '--console', 'on'];
      const server = await startServe(given('workers', ...more), { env });
      const announced = await printed(server, /^Fieldroster listens on /);
      const { pid } = await printed(server, /^a worker started$/);
      process.kill(Number(pid), 'SIGKILL');
      const ended = await printed(server, /^a worker ended unexpectedly; starting another$/);
      assert.deepEqual([ended.level, ended.pid, ended.exit_code, ended.signal], [50, pid, null, 'SIGKILL']);
      assert.equal(await server.stop(), 0);
      const messages = readLines(server.output()).map(({ msg }) => msg);
      for (const expected of [
        /^ignoring .* FIELDROSTER_REPLY/,
        /^metrics listening$/,
        /^The console is at /,
        /^Fieldroster listens on /,
      ])
        assert.equal(messages.filter((message) => expected.test(message)).length, 1, String(expected));
      assert.equal(announced.msg, `Fieldroster listens on ${announced.url}`);
      assert.ok(messages.filter((message) => message === 'a worker stopped').length >= 1);
    });

    test('names the first application of --sample without its secret, and how to get one', async () => {
      const server = await startServe(given('sample', '--sample'));
      const { app_id, msg } = await printed(server, /^The sample's first application is /);
      assert.equal(await server.stop(), 0);
      assert.doesNotMatch(server.output(), /secret"|APPSECRET|link#/);
      const [, advice = ''] = msg.split('run: fieldroster ');
      const { exitCode, stdout } = await runCommand([...advice.split(' '), '--json']);
      const rotated = JSON.parse(stdout) as { app_id: string; app_secret: string };
      assert.deepEqual([exitCode, rotated.app_id], [0, app_id]);
      assert.match(rotated.app_secret, /^\S{20,}$/);
    });

    test('reports a failed start as a line, with the exit code of the failure', async (t) => {
      const other = createServer().listen(0, '127.0.0.1');
      t.after(() => other.close());
      await once(other, 'listening');
      const { port } = other.address() as { port: number };
      for (const workers of ['1', '2']) {
        const words = ['serve', ...given('taken', '--port', String(port), '--workers', workers)];
        const { exitCode, stdout, stderr } = await runCommand(words);
        assert.equal(exitCode, 1);
        const last = readLines(stdout + stderr).at(-1);
        assert.equal(last?.level, 60);
        assert.match(last?.msg ?? '', new RegExp(`^cannot listen on [^\\n]*${port}`));
        // The supervisor passes on the message of a worker.
        const said = workers === '1' ? /^listen EADDRINUSE/ : /^(undefined|listen EADDRINUSE.*)$/;
        assert.match(String(last?.cause), said);
      }
    });

    test("reports an operator's own mistake without a stack, and names the folder once", async () => {
      const file = join(folder, `file-${format.length}`);
      writeFileSync(file, '');
      for (const workers of ['1', '2']) {
        const { stdout, stderr } = await runCommand([
          'serve',
          ...flags(`file-${format.length}`, ...format, '--workers', workers),
        ]);
        const last = readLines(stdout + stderr).at(-1);
        assert.deepEqual(last, {
          level: 60,
          time: last?.time,
          pid: last?.pid,
          msg: `${file} cannot be the data folder: it is a file; choose another with --data or FIELDROSTER_DATA`,
        });
      }
    });

    test('reports a crash and a warning of Node.js as lines, without the properties of the error', async () => {
      const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(failsOnSignal)}"` };
      const server = await startServe(given('crash', '--workers', '2'), { env });
      const { pid } = await printed(server, /^a worker started$/);
      for (const signal of ['SIGUSR2', 'SIGPIPE'] as const) await hit(server, Number(pid), signal);
      for (const signal of ['SIGUSR2', 'SIGPIPE'] as const)
        await hit(server, Number(server.child.pid), signal);
      assert.equal(await server.ended, 1);
      const lines = readLines(server.output());
      const crashes = lines.filter(({ level }) => level === 60);
      assert.deepEqual(
        crashes.map((crash) => crash.pid),
        [pid, server.child.pid],
      );
      for (const { msg, cause } of crashes) {
        assert.equal(msg, 'the server crashed: planted crash');
        assert.match(String(cause), /^Error: planted crash\n {4}at .*; caused by below$/s);
      }
      assert.equal(lines.filter(({ msg, level }) => msg === 'planted warning' && level === 40).length, 2);
      assert.doesNotMatch(server.output(), /planted row/);
    });
  });
}

/** Sends the signal and waits for a line about it. */
async function hit(server: ServeProcess, pid: number, signal: 'SIGUSR2' | 'SIGPIPE'): Promise<void> {
  const text = signal === 'SIGUSR2' ? 'planted warning' : 'planted crash';
  const seen = () => server.output().split(`${text}"`).length;
  const before = seen();
  process.kill(pid, signal);
  await server.until(() => seen() > before);
}

test('a mistake in the settings of serve is text for the person who made it, unless JSON is asked for', async () => {
  const words = ['serve', '--data', join(folder, 'wrong'), '--port', 'x'];
  const asText = await runCommand(words);
  assert.deepEqual([asText.exitCode, asText.stderr.startsWith('fieldroster: --port is "x"')], [2, true]);
  const asJson = await runCommand(words, { env: { FIELDROSTER_LOG_FORMAT: 'json' } });
  assert.equal(asJson.exitCode, 2);
  assert.match(readLines(asJson.stderr)[0]?.msg ?? '', /--port/);
});

test('the supervising process logs no line below --log-level', async () => {
  const server = await startServe([
    ...flags('silent', '--log-level', 'warn', '--workers', '2', '--metrics', '127.0.0.1:0'),
    '--json',
  ]);
  assert.equal(await server.stop(), 0);
  assert.deepEqual(Object.keys(JSON.parse(server.output())), ['url']);
});
