import assert from 'node:assert/strict';
import { executionAsyncResource } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connectClient } from '../../../test/connect-client.ts';
import { parseAgain } from './parse-again.ts';

const packet = Buffer.from('GET /again HTTP/1.1\r\nHost: x\r\n\r\n');

/** Opens a connection to a server that lists the targets and the asynchronous resources of its requests. */
async function open(t: TestContext) {
  const targets: (string | undefined)[] = [];
  const resources: object[] = [];
  const server = createServer((request, response) => {
    targets.push(request.url);
    resources.push(executionAsyncResource());
    response.end();
  });
  const { socket } = await connectClient(t, server);
  return { server, socket, targets, resources };
}

test('a packet that is parsed again becomes a request of its connection', async (t) => {
  const { server, socket, targets, resources } = await open(t);
  assert.equal(parseAgain(server, socket, packet), true);
  assert.deepEqual(targets, ['/again']);
  assert.equal(Reflect.get(resources[0] ?? {}, 'type'), 'HTTPINCOMINGMESSAGE');
  assert.equal(Reflect.get(resources[0] ?? {}, 'socket'), socket, 'diagnostic tools find the connection');
});

for (const lacking of [undefined, null]) {
  test(`nothing is done for a connection whose parser is ${lacking}`, async (t) => {
    const { server, socket, targets } = await open(t);
    const parser = Reflect.get(socket, 'parser');
    Reflect.set(socket, 'parser', lacking);
    try {
      assert.equal(parseAgain(server, socket, packet), false);
    } finally {
      Reflect.set(socket, 'parser', parser);
    }
    assert.deepEqual(targets, []);
  });
}

for (const name of ['remove', 'initialize']) {
  test(`nothing is done if the parser has no method ${name}`, async (t) => {
    const { server, socket, targets } = await open(t);
    const parser = Reflect.get(socket, 'parser');
    Reflect.defineProperty(parser, name, { value: undefined, configurable: true });
    try {
      assert.equal(parseAgain(server, socket, packet), false);
    } finally {
      Reflect.deleteProperty(parser, name);
    }
    assert.deepEqual(targets, []);
  });
}

test('nothing is done if the server has no list of connections', async (t) => {
  const { socket, targets } = await open(t);
  assert.equal(parseAgain(new NetServer() as Server, socket, packet), false);
  assert.deepEqual(targets, []);
});

test('nothing is done if others read the packets of the connection too', async (t) => {
  const { server, socket, targets } = await open(t);
  const packets: Buffer[] = [];
  socket.on('data', (each: Buffer) => packets.push(each));
  assert.equal(parseAgain(server, socket, packet), false);
  assert.deepEqual([packets, targets], [[], []]);
});
