import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { signRequest } from '@fieldroster/signing';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { spawnFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';

const requests = atScale({ bounded: 24_000, full: 1_000_000 });

/** 8 MB of output wait for a reader; the rest is what the server needs for its requests. */
const grownBytesMax = 128 * 1024 * 1024;

/** A server that waited for a reader would never end. */
const timeout = atScale({ bounded: 240_000, full: 600_000 });

let directory: Provisioned;
before(async () => {
  directory = await provisionDirectory(1);
});
after(() => directory.remove());

test('a log that nobody reads loses lines, but takes no memory and does not keep the process from ending', {
  timeout,
}, async (t) => {
  const child = spawnFieldroster(['serve', ...directory.flags, '--port', '0'], {
    FIELDROSTER_OVERLOAD_WAIT: '60000',
  });
  t.after(() => child.kill('SIGKILL'));
  const { stdout } = child;
  assert.ok(stdout !== null);
  let text = '';
  stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const until = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(text);
      if (found !== null) return found;
      assert.equal(child.exitCode ?? child.signalCode, null, `the server has ended: ${text.slice(-2_000)}`);
      await delay(20, undefined, { signal: t.signal });
    }
  };
  const [, port] = await until(/listens on http:\/\/127\.0\.0\.1:(\d+)/);

  await flood(Number(port), 5_000);
  const before = residentBytes(child.pid);
  stdout.pause();
  await flood(Number(port), requests);
  const grown = residentBytes(child.pid) - before;
  t.diagnostic(
    `figure: ${requests} lines unread, resident memory grew by ${(grown / 2 ** 20).toFixed(0)} MB`,
  );
  assert.ok(grown < grownBytesMax, `grew by ${grown} bytes`);

  stdout.resume();
  const [, dropped] = await until(/"dropped_lines":(\d+)/);
  t.diagnostic(`figure: the log told of ${dropped} lines that were dropped`);

  stdout.pause();
  await flood(Number(port), requests);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
});

function residentBytes(pid = 0): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  return 1024 * Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(path, 'utf8'))?.[1]);
}

/** More may not wait for their answers on one connection. */
const pipelined = 50;
const mark = '"code":1101';

/**
 * Queries a user who does not exist, which logs a line of some 400 bytes each time. Each of an application's own
 * failures has its line; those of strangers are bounded.
 */
async function flood(port: number, count: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  let answers = 0;
  let rest = '';
  let sent = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const send = () => {
    sent += pipelined;
    socket.write(signedQuery().repeat(pipelined));
  };
  socket.on('error', reject).on('close', () => reject(new Error('the server closed the connection')));
  socket.on('data', (part: string) => {
    answers += (rest + part).split(mark).length - 1;
    rest = part.slice(1 - mark.length);
    if (answers >= count) resolve();
    else if (answers === sent) send();
  });
  send();
  await promise;
  socket.destroy();
}

function signedQuery(): string {
  const target = `/user?username=${'x'.repeat(50)}`;
  const { headers } = signRequest({ ...directory.credentials, method: 'GET', target });
  const lines = Object.entries({ Host: 'x', 'X-Request-Id': 'x'.repeat(128), ...headers });
  return `GET ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
