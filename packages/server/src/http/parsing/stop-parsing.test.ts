import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { connectClient } from '../../../test/connect-client.ts';
import { stopParsing } from './stop-parsing.ts';

const request = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Opens a connection to a server that stops parsing with the first request, if it is told to. */
async function open(t: TestContext, stops: boolean) {
  const targets: (string | undefined)[] = [];
  const faults: Error[] = [];
  const server = createServer(({ socket, url }) => {
    targets.push(url);
    if (stops) assert.equal(stopParsing(socket), true);
  });
  server.on('clientError', (error) => faults.push(error));
  const { client, socket } = await connectClient(t, server);
  const send = async (text: string) => {
    const until = socket.bytesRead + text.length;
    client.write(text);
    while (socket.bytesRead < until) await nextIteration();
  };
  return { socket, send, targets, faults };
}

test('once parsing is stopped, nothing more becomes a request, neither in the same packet nor in later ones', async (t) => {
  const { send, targets, faults } = await open(t, true);
  await send(request('/first') + request('/second').repeat(1_000));
  await send(request('/third'));
  await send(request('/fourth').repeat(1_000));
  assert.deepEqual([targets, faults], [['/first'], []]);
});

test('of each later packet, the headers of one request are read', async (t) => {
  const { socket, send } = await open(t, true);
  await send(request('/first'));
  const { mock } = t.mock.method(Reflect.get(socket, 'parser'), 'onIncoming');
  await send(request('/second').repeat(20));
  assert.equal(mock.callCount(), 1);
  await send(request('/third').repeat(20));
  assert.equal(mock.callCount(), 2);
});

for (const later of [
  'GET /later HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
  'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n',
])
  test(`${later.split(' ')[0]} in a later packet, for another protocol, leaves the connection to the answer`, async (t) => {
    const { socket, send, targets, faults } = await open(t, true);
    await send(request('/first'));
    await send(later);
    assert.deepEqual([socket.destroyed, targets, faults], [false, ['/first'], []]);
  });

test('while parsing is not stopped, everything sent becomes a request', async (t) => {
  const { send, targets } = await open(t, false);
  await send(request('/first') + request('/second'));
  await send(request('/third'));
  assert.deepEqual(targets, ['/first', '/second', '/third']);
});

for (const lacking of [undefined, null, {}]) {
  test(`nothing is done for a connection whose parser is ${JSON.stringify(lacking)}`, async (t) => {
    const { socket } = await open(t, false);
    const parser = Reflect.get(socket, 'parser');
    Reflect.set(socket, 'parser', lacking);
    try {
      assert.equal(stopParsing(socket), false);
    } finally {
      Reflect.set(socket, 'parser', parser);
    }
  });
}
