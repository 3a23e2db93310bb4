import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { importStores } from '@fieldroster/server/admin';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { listOf } from '../list-of.ts';
import { openProvisioned, type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient, signCall } from '../signed-client.ts';
import { unsignedHead } from './attack-connection.ts';
import { forgetPeak, mebibyte, peakMemoryOf } from './process-memory.ts';

/** The largest page that anybody may ask for. */
const target = '/openapi.json';
const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;

const chunks = '1\r\nx\r\n'.repeat(9_000);

let directory: Provisioned;

before(async () => {
  directory = await provisionDirectory(1);
});

after(() => directory.remove());

/** Connections that send and never read. */
class Senders {
  readonly #sockets: Socket[] = [];

  /** Opens one more, which sends the bytes. */
  async add(port: number, bytes: string): Promise<void> {
    const socket = connect(port, '127.0.0.1')
      .pause()
      .on('error', () => {});
    this.#sockets.push(socket);
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  }

  end(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }
}

const bodies = { connections: 200, grownBytesMax: 260 * mebibyte };

test(`bodies behind answers that nobody reads, on ${bodies.connections} connections, are not kept`, async (t) => {
  // As in production, most of the requests are refused for overload.
  const server = await ServerProcess.start(directory, '--overload-wait', '50');
  const senders = new Senders();
  try {
    assert.equal((await fetch(server.url + target)).status, 200);
    forgetPeak(server.pid);
    const usual = peakMemoryOf(server.pid);
    const body = unsignedHead('nobody', '/user', { 'Transfer-Encoding': 'chunked' }) + chunks;
    for (let sent = 0; sent < bodies.connections; sent += 1)
      await senders.add(server.port, request.repeat(20) + body);
    // The server answers this in the iteration of the event loop in which it has read all of them, at the earliest.
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    await delay(1_000);
    const grown = peakMemoryOf(server.pid) - usual;
    t.diagnostic(`figure: ${Math.round(grown / mebibyte)} MiB more at the peak`);
    assert.ok(grown < bodies.grownBytesMax, `${grown} bytes more`);
  } finally {
    senders.end();
    await server.kill();
  }
});

const answers = {
  connections: atScale({ bounded: 1_000, full: 5_000 }),
  requests: 45,
  grownBytesMax: atScale({ bounded: 200, full: 300 }) * mebibyte,
};

/** How long the server has for its checks after the last request. */
const settledMs = 2_000;

test(`${answers.connections} connections that leave ${answers.requests} answers unread take bounded memory`, async (t) => {
  const server = await ServerProcess.start(directory);
  const senders = new Senders();
  try {
    assert.equal((await fetch(server.url + target)).status, 200);
    forgetPeak(server.pid);
    const usual = peakMemoryOf(server.pid);
    for (let sent = 0; sent < answers.connections; sent += 1)
      await senders.add(server.port, request.repeat(answers.requests));
    // Until then, the system's buffers may take the answers of some connections as a whole.
    await delay(settledMs);
    // At full size, the server is busy with them for a while, and refuses others for overload.
    while ((await fetch(server.url + target)).status === 503) await delay(100);
    assert.equal((await fetch(server.url + target)).status, 200, 'a client that reads gets its answer');
    const grown = peakMemoryOf(server.pid) - usual;
    const [closures = 'no connections closed'] = /\d+ connections closed so far/.exec(server.output) ?? [];
    t.diagnostic(`figure: ${Math.round(grown / mebibyte)} MiB more at the peak, ${closures}`);
    assert.ok(grown < answers.grownBytesMax, `${grown} bytes more`);
  } finally {
    senders.end();
    await server.kill();
  }
});

const pages = { stores: 500, connections: 60, requests: 8, grownBytesMax: 140 * mebibyte };

test('pages in Chinese that nobody reads take bounded memory, although their bytes are three times their characters', async (t) => {
  const rows = Array.from({ length: pages.stores }, (_, index) => [
    `C${index}`,
    '汉'.repeat(255),
    '字'.repeat(1000),
  ]);
  const opened = await openProvisioned(directory);
  await importStores(opened, listOf(['code', 'name', 'address'], rows));
  await opened.database.close();
  // The heap that a process with 512 MiB has.
  const environment = { NODE_OPTIONS: '--max-old-space-size=256' };
  const server = await ServerProcess.start({ ...directory, environment });
  const senders = new Senders();
  const honest = new SignedClient(server.url, directory.credentials, 1);
  const signed = (limit: number) => {
    const call = signCall(directory.credentials, 'GET', `/stores?limit=${limit}`);
    const lines = Object.entries(call.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `GET ${call.target} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`;
  };
  // None is answered with the text of another that the server still has.
  const different = Array.from({ length: pages.requests }, (_, index) => pages.stores - index);
  try {
    await honest.call('GET', `/stores?limit=${pages.stores}`);
    forgetPeak(server.pid);
    const usual = peakMemoryOf(server.pid);
    const closed = /connections closed so far: their clients left answers unread/;
    for (let sending = 0; !closed.test(server.output); sending += 1) {
      assert.ok(sending < pages.connections, 'the server closed no connection');
      await senders.add(server.port, different.map(signed).join(''));
      // Too many lists of one application at once would be refused.
      await honest.call('GET', `/stores?limit=${1 + sending}`);
    }
    await delay(settledMs);
    const grown = peakMemoryOf(server.pid) - usual;
    t.diagnostic(`figure: ${Math.round(grown / mebibyte)} MiB more at the peak`);
    assert.ok(grown < pages.grownBytesMax, `${grown} bytes more`);
    assert.equal((await fetch(server.url + target)).status, 200, 'a client that reads gets its answer');
  } finally {
    senders.end();
    honest.close();
    await server.kill();
  }
});
