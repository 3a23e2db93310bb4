import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { type ServeProcess, startServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();
const flags = (name: string, ...more: string[]) => [
  '--data',
  join(folder, name),
  ...['--log-format', 'json', '--log-level', 'info'],
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
async function printed({ child, output }: ServeProcess, message: RegExp): Promise<Line> {
  const whole = () => output().slice(0, output().lastIndexOf('\n'));
  for (;;) {
    const line = readLines(whole()).find(({ msg }) => message.test(msg));
    if (line !== undefined) return line;
    assert.ok(child.stdout !== null);
    await once(child.stdout, 'data');
  }
}

describe('serve --log-format json', { timeout: 120_000 }, () => {
  test('prints nothing but lines of the log, also of the process that supervises the workers', async () => {
    const env = { FIELDROSTER_REPLY: 'nonce' };
    const more = ['--workers', '2', '--metrics', '127.0.0.1:0', '--console', 'on'];
    const server = await startServe(flags('workers', ...more), { env });
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
    const server = await startServe(flags('sample', '--sample'));
    const { app_id, msg } = await printed(server, /^The sample's first application is /);
    assert.equal(await server.stop(), 0);
    for (const line of readLines(server.output())) assert.equal('app_secret' in line, false, line.msg);
    const [, advice = ''] = msg.split('run: fieldroster ');
    const { exitCode, stdout } = await runCommand([
      ...advice.split(' '),
      ...['--data', join(folder, 'sample'), '--json'],
    ]);
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
      const words = ['serve', ...flags('taken', '--port', String(port), '--workers', workers)];
      const { exitCode, stdout, stderr } = await runCommand(words);
      assert.equal(exitCode, 1);
      assert.match(readLines(stdout + stderr).at(-1)?.msg ?? '', new RegExp(`${port}`));
    }
    const env = { FIELDROSTER_LOG_FORMAT: 'json' };
    const wrong = await runCommand(['serve', '--data', join(folder, 'wrong'), '--port', 'x'], { env });
    assert.equal(wrong.exitCode, 2);
    assert.match(readLines(wrong.stderr)[0]?.msg ?? '', /--port/);
  });
});

test('the supervising process logs no line below --log-level', async () => {
  const server = await startServe([
    ...flags('silent', '--log-level', 'warn', '--workers', '2', '--metrics', '127.0.0.1:0'),
    '--json',
  ]);
  assert.equal(await server.stop(), 0);
  assert.deepEqual(Object.keys(JSON.parse(server.output())), ['url']);
});
