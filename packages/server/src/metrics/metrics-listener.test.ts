import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { MetricsListener } from './metrics-listener.ts';

let listener: MetricsListener;
let collections = 0;
let mayEnd = Promise.withResolvers<void>();

before(async () => {
  listener = await MetricsListener.start('127.0.0.1:0', async () => {
    collections += 1;
    await mayEnd.promise;
    return { contentType: 'text/plain', text: `collection ${collections}` };
  });
});

after(() => listener.stop());

const request = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';

/** Sends bytes on a connection of its own, and returns what comes until it is closed. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket).catch(() => '');
}

test('a connection that sends requests ahead is closed after at most one collection', async () => {
  collections = 0;
  mayEnd.resolve();
  const answers = await exchange(request.repeat(2_000));
  assert.deepEqual([answers, collections], ['', 1]);
});

test('requests that come while the metrics are collected share them; the next one gets others', async () => {
  collections = 0;
  mayEnd = Promise.withResolvers();
  const asked = Array.from({ length: 20 }, () => fetch(listener.url));
  while (collections === 0) await new Promise((resolve) => setImmediate(resolve));
  // A request for another path is answered after those that were sent before it have arrived.
  assert.equal((await fetch(new URL('/', listener.url))).status, 404);
  mayEnd.resolve();
  const texts = await Promise.all(asked.map(async (answer) => (await answer).text()));
  assert.ok(collections < 20, `${collections} collections`);
  assert.equal(texts.length, 20);
  const before = collections;
  assert.equal(await (await fetch(listener.url)).text(), `collection ${before + 1}`);
});

test('requests one after the other on one connection are all answered', async () => {
  const [first, second] = [await fetch(listener.url), await fetch(listener.url)];
  assert.deepEqual([first.status, second.status], [200, 200]);
  await Promise.all([first.text(), second.text()]);
});
