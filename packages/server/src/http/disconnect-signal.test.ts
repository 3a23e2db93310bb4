import assert from 'node:assert/strict';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
