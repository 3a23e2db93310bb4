import assert from 'node:assert/strict';
import { createServer, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { disconnectSignal } from './disconnect-signal.ts';

const responses: ((response: ServerResponse) => void)[] = [];
const server = createServer((_request, response) => responses.shift()?.(response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());

/** Sends a request, and resolves with it and the server's response object. */
async function exchange() {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  responses.push(resolve);
  const sent = request({ port: (server.address() as AddressInfo).port, agent: false });
  sent.on('error', () => {});
  sent.end();
  return { sent, response: await promise };
}

test('a response always has the same signal', async () => {
  const { sent, response } = await exchange();
  const signal = disconnectSignal(response);
  assert.equal(signal(), signal());
  assert.equal(signal().aborted, false);
  sent.destroy();
});

test('the signal aborts when the client disconnects before its answer, whether requested before or after', async () => {
  const { sent, response } = await exchange();
  const early = disconnectSignal(response)();
  const aborted = new Promise((resolve) => early.addEventListener('abort', resolve));
  sent.destroy();
  await aborted;
  assert.equal(disconnectSignal(response)().aborted, true);
});

test('the signal does not abort when the answer was complete', async () => {
  const { sent, response } = await exchange();
  const signal = disconnectSignal(response)();
  const closed = new Promise((resolve) => response.once('close', resolve));
  sent.on('response', (answer) => answer.resume());
  response.end('done');
  await closed;
  assert.equal(signal.aborted, false);
});

/** Sends this many requests on one connection at once, and resolves with it and the server's response objects. */
async function pipeline(count: number) {
  const arriving = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>();
    responses.push(resolve);
    return promise;
  });
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
  return { client, arrived: await Promise.all(arriving) };
}

test('the signals of requests that wait behind another one abort too, and not that of an answered one', async () => {
  const { client, arrived } = await pipeline(12);
  const [
    {
      req: { socket },
    } = assert.fail(),
    ...behind
  ] = arrived;
  const before = socket.listenerCount('close');
  const [first, ...others] = arrived.map((response) => disconnectSignal(response)());
  assert.equal(socket.listenerCount('close'), before + 1, 'one listener for the connection');
  const answered = new Promise((resolve) => arrived[0]?.once('close', resolve));
  arrived[0]?.end('done');
  await answered;
  const aborted = others.map((signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)));
  client.destroy();
  await Promise.all(aborted);
  assert.equal(first?.aborted, false);
  for (const response of behind) assert.equal(disconnectSignal(response)().aborted, true);
});

test('the signal of a request that waits behind another one aborts with the connection alone', async () => {
  const { client, arrived } = await pipeline(2);
  const [, second] = arrived;
  const signal = disconnectSignal(second ?? assert.fail())();
  // As up to version 24 of Node.js, which does not close such a response.
  second?.removeAllListeners('close');
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  client.destroy();
  await aborted;
});
