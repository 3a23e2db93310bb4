import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { unsignedHead } from '../attack/attack-connection.ts';
import { issueManager } from '../attack/issue-manager.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Credentials, SignedClient, signText } from '../signed-client.ts';
import { asByDefault, MemoryWatch } from './overload-limits.ts';

const openedAtOnce = 100;
const reads = atScale({ bounded: 20, full: 2_000 });
const sizes = atScale({
  bounded: { idle: 200, slow: 100, large: 2, largeMebibytes: 8 },
  full: { idle: 10_000, slow: 1_000, large: 40, largeMebibytes: 31 },
});

let directory: Provisioned;
let manager: Credentials;
let server: ServerProcess;
let client: SignedClient;

before(async () => {
  directory = await provisionDirectory(1);
  manager = await issueManager(directory);
  server = await ServerProcess.start(directory, '--log-level', 'error', ...asByDefault);
  client = new SignedClient(server.url, directory.credentials, 1);
});

after(async () => {
  client?.close();
  await server?.kill();
  await directory?.remove();
});

/** Opens connections that send this and then nothing more. */
async function openStalled(count: number, start: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const few = Array.from({ length: Math.min(openedAtOnce, count - sockets.length) }, async () => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      if (start !== '') socket.write(start);
      return socket;
    });
    sockets.push(...(await Promise.all(few)));
  }
  return sockets;
}

async function assertServed(): Promise<void> {
  for (let count = 0; count < reads; count += 1) {
    assert.equal((await client.call('GET', `/user?username=nobody-${count}`)).code, 1101);
    assert.equal((await client.call('POST', '/user/stores', { username: `served-${count}` })).code, 0);
  }
  assert.equal((await client.get('/healthz')).status, 200);
  await server.until(async () => (await client.get('/readyz')).status === 200);
}

const stalled = [
  { name: `${sizes.idle} idle connections`, count: sizes.idle, start: () => '' },
  {
    name: `${sizes.slow} clients that never finish their headers`,
    count: sizes.slow,
    start: () => 'GET /user HTTP/1.1\r\nHost: x\r\n',
  },
  {
    name: `${sizes.slow} clients that never send their bodies`,
    count: sizes.slow,
    start: () => {
      const { appId } = directory.credentials;
      return `${unsignedHead(appId, '/user', { 'Content-Length': String(64 * 1024) })}{`;
    },
  },
];

for (const { name, count, start } of stalled) {
  test(`beside ${name}, other clients are served`, async (t) => {
    const memory = new MemoryWatch(server);
    const sockets = await openStalled(count, start());
    try {
      await assertServed();
      t.diagnostic(`figure: ${reads} reads and writes answered beside ${name}`);
      memory.assertBounded(t);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
}

test(`${sizes.large} of the largest bodies at once are stored or refused, and nobody else waits for them`, async (t) => {
  const padding = ' '.repeat(sizes.largeMebibytes * 1024 * 1024);
  const memory = new MemoryWatch(server);
  const codes = new Map<number, number>();
  const uploads = Promise.all(
    Array.from({ length: sizes.large }, async (_, index) => {
      const text = JSON.stringify({ users: [{ username: `large-${index}` }] }) + padding;
      const { method, headers, body } = signText(manager, 'POST', '/users/batch', text);
      const response = await fetch(new URL('/users/batch', server.url), {
        method,
        headers,
        body: body ?? null,
      });
      const { code } = (await response.json()) as { code: number };
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }),
  );
  await assertServed();
  await uploads;
  t.diagnostic(
    `figure: ${sizes.large} bodies of ${sizes.largeMebibytes} MiB at once: ${codes.get(0) ?? 0} stored, ${codes.get(1503) ?? 0} refused`,
  );
  for (const code of codes.keys()) assert.ok(code === 0 || code === 1503, `answered with ${code}`);
  memory.assertBounded(t);
});
