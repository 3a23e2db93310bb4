import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { WaitingResponses } from './waiting-responses.ts';

/** Sends requests at once to a server that answers none by itself, and waits until it has received all of them. */
async function hold(t: TestContext, count: number) {
  const waiting = new WaitingResponses(8_192);
  const responses: ServerResponse[] = [];
  const server = createServer(({ socket }, response) => {
    responses.push(response);
    assert.ok(waiting.tryAdd(response, socket, { name: 'all', partMax: 1 }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  t.after(() => client.destroy());
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
  while (responses.length < count) await nextIteration();
  const [first] = responses;
  assert(first?.socket);
  return { waiting, client, responses, socket: first.socket };
}

test('an answered response no longer counts, however many are answered', async (t) => {
  const { waiting, responses, socket } = await hold(t, 3);
  for (const left of [2, 1, 0]) {
    assert.equal(waiting.count, left + 1);
    assert.equal(waiting.countBehind(socket), left);
    const [response] = responses.splice(0, 1);
    assert(response !== undefined);
    const closed = once(response, 'close');
    response.end();
    await closed;
    assert.equal(waiting.count, left);
    assert.deepEqual([...waiting.of(socket)], responses);
  }
});

test('a connection that ends takes its responses with it, once', async (t) => {
  const { waiting, client, responses, socket } = await hold(t, 3);
  client.destroy();
  await once(socket, 'close');
  assert.equal(waiting.count, 0);
  for (const response of responses) response.end();
  await nextIteration();
  assert.equal(waiting.count, 0);
  assert.equal(waiting.of(socket).size, 0);
});
