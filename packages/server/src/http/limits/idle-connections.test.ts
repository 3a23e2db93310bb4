import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { IdleConnections } from './idle-connections.ts';

const max = 4;

class Crowd implements AsyncDisposable {
  readonly server = createServer((request, response) => {
    if (request.url === '/waits') this.held.push(response);
    else response.end('answered');
  });
  readonly held: ServerResponse[] = [];
  readonly idle: IdleConnections;
  readonly clients: Socket[] = [];
  closures = 0;
  nowMs = 0;

  private constructor() {
    this.idle = new IdleConnections(this.server, {
      max,
      onClosed: () => {
        this.closures += 1;
      },
      nowMs: () => this.nowMs,
    });
    this.idle.begin();
    this.server.maxConnections = max;
  }

  static async open(): Promise<Crowd> {
    const crowd = new Crowd();
    await once(crowd.server.listen(0, '127.0.0.1'), 'listening');
    return crowd;
  }

  /** Opens a connection, and resolves once the server has accepted or refused it, and read what it sends. */
  async client(sends = ''): Promise<Socket> {
    const socket = connect((this.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    this.clients.push(socket);
    const arrived = Promise.race([once(this.server, 'connection'), once(this.server, 'drop')]);
    const [accepted] = (await arrived) as [Socket];
    if (sends === '' || accepted.bytesRead === undefined) return socket;
    socket.write(sends);
    while (accepted.bytesRead < sends.length) await setImmediate();
    return socket;
  }

  /** Looks at the connections as a timer would, so much later. */
  lookAfter(ms: number): void {
    this.nowMs += ms;
    this.idle.check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.clients) client.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

async function ask(socket: Socket): Promise<string> {
  socket.write(request);
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
  return String(answer).slice(0, 12);
}

test('a newcomer gets the place of the connection that has been idle longest', async () => {
  await using crowd = await Crowd.open();
  const [first, second] = [await crowd.client(), await crowd.client()];
  crowd.lookAfter(0);
  const third = await crowd.client();
  await crowd.client();
  crowd.lookAfter(0);
  assert.match(await ask(first), /200/, 'it is idle for a shorter time now');
  crowd.lookAfter(500);
  crowd.lookAfter(1_000);
  assert.equal(crowd.closures, 1);
  if (!second.closed) await once(second, 'close');
  const newcomer = await crowd.client();
  for (const socket of [newcomer, first]) assert.match(await ask(socket), /200/);
  if (!third.closed) await once(third, 'close');
  assert.equal(crowd.closures, 2, 'the next one makes room for the next newcomer');
});

test('connections with a request under way never give way, and the newcomer is refused', async () => {
  await using crowd = await Crowd.open();
  const busy = [
    await crowd.client('GET /waits HTTP/1.1\r\nHost: x\r\n\r\n'),
    await crowd.client('GET / HTTP/1.1\r\nHost:'),
    await crowd.client('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1'),
    await crowd.client(`${request}GET / HTTP/1.1\r\nHost:`),
  ];
  for (let looks = 0; looks < 5; looks += 1) crowd.lookAfter(2_000);
  const refused = await crowd.client();
  if (!refused.closed) await once(refused, 'close');
  assert.equal(crowd.closures, 0);
  assert.ok(busy.every(({ closed }) => !closed));
});

test('a connection gives way a second after its last answer at the earliest', async () => {
  await using crowd = await Crowd.open();
  for (let count = 0; count < max; count += 1) await crowd.client(request);
  crowd.lookAfter(0);
  crowd.lookAfter(999);
  assert.equal(crowd.closures, 0);
  crowd.lookAfter(1);
  assert.equal(crowd.closures, 1);
});

test('a connection does not give way within a second after an answer that took longer than two looks', async () => {
  await using crowd = await Crowd.open();
  const waits = await crowd.client('GET /waits HTTP/1.1\r\nHost: x\r\n\r\n');
  for (let count = 1; count < max; count += 1) await crowd.client('GET / HTTP/1.1\r\nHost:');
  crowd.lookAfter(0);
  crowd.lookAfter(1_000);
  crowd.lookAfter(1_000);
  crowd.held[0]?.end('answered');
  await once(waits, 'data');
  crowd.lookAfter(1);
  assert.equal(crowd.closures, 0);
  crowd.lookAfter(999);
  assert.equal(crowd.closures, 0);
  crowd.lookAfter(1);
  assert.equal(crowd.closures, 1);
});

test('a connection that has sent something since the last look does not give way', async () => {
  await using crowd = await Crowd.open();
  for (let count = 0; count < max; count += 1) await crowd.client();
  const [, second, third] = crowd.clients as [Socket, Socket, Socket];
  crowd.lookAfter(0);
  crowd.lookAfter(1_000);
  assert.equal(crowd.closures, 1);
  assert.match(await ask(second), /200/);
  await crowd.client();
  if (!third.closed) await once(third, 'close');
  assert.equal(crowd.closures, 2);
  assert.match(await ask(second), /200/);
});

test('nothing is closed before the last place is taken', async () => {
  await using crowd = await Crowd.open();
  for (let count = 1; count < max; count += 1) await crowd.client();
  crowd.lookAfter(0);
  crowd.lookAfter(60_000);
  assert.equal(crowd.closures, 0);
});
