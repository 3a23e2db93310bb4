import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

/** A quarter of the default of `--connections-max` at full size. */
const connectionsMax = atScale({ bounded: 200, full: 4096 });

const openedAtOnce = 100;

/** Resident memory for the connections: 64 KiB for each, which has sent 4 kB, and what a young process grows by anyway. */
const kibibytesMax = 16 * 1024 + 64 * connectionsMax;

// Connections alone never reach the database, so one engine is enough.
describe(`${connectionsMax} connections that send half a request`, () => {
  let directory: Provisioned;
  let server: ServerProcess;
  const sockets: Socket[] = [];

  before(async () => {
    directory = await provisionDirectory(1);
    server = await ServerProcess.start(directory, '--connections-max', String(connectionsMax));
  });

  after(async () => {
    for (const socket of sockets) socket.destroy();
    await server.kill();
    await directory.remove();
  });

  async function open(): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    sockets.push(socket);
    return socket;
  }

  async function expectRefusal(): Promise<void> {
    const refused = await open();
    refused.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.equal(await text(refused).catch(() => ''), '');
  }

  /** Resident memory of the process in KiB; on Linux only. */
  function residentKibibytes(): number {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  }

  test('take bounded memory; further ones are closed at once, and an earlier client is still answered', async (t) => {
    const client = new SignedClient(server.url, directory.credentials, 1);
    assert.equal((await client.call('GET', '/user?username=nobody')).code, 1101);
    const atFirst = residentKibibytes();
    const kibibytesHeld = () => residentKibibytes() - atFirst;
    // `unfinished-headers.test.ts` has larger ones; the server closes their connections.
    const half = `GET /user HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(4_000)}`;
    for (let opened = 1; opened < connectionsMax; opened += openedAtOnce) {
      const count = Math.min(openedAtOnce, connectionsMax - opened);
      for (const socket of await Promise.all(Array.from({ length: count }, open))) socket.write(half);
    }
    // The system hands connections over in order, so the server has all of them once it refuses one.
    await expectRefusal();
    assert.equal((await client.call('GET', '/user?username=nobody')).code, 1101);
    assert.ok(kibibytesHeld() < kibibytesMax, `${kibibytesHeld()} KiB before others were refused`);
    for (let count = 0; count < openedAtOnce; count += 1) await expectRefusal();
    assert.equal((await client.call('GET', '/user?username=nobody')).code, 1101);
    const held = kibibytesHeld();
    assert.ok(held < kibibytesMax, `${held} KiB after others were refused`);
    const each = held / connectionsMax;
    t.diagnostic(`figure: ${connectionsMax} connections, ${each.toFixed(1)} KiB of resident memory each`);
    client.close();
    for (const socket of sockets) socket.destroy();
    assert.equal(await server.stop(), 0);
    assert.match(server.output, /connections refused so far: .* the limit of --connections-max/);
  });
});
