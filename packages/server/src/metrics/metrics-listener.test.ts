import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { MetricsListener } from './metrics-listener.ts';

let listener: MetricsListener;
let collections = 0;
let mayEnd = Promise.withResolvers<void>();
let nowMs = 0;

before(async () => {
  const expose = async () => {
    collections += 1;
    await mayEnd.promise;
    return { contentType: 'text/plain', text: `collection ${collections}` };
  };
  listener = await MetricsListener.start('127.0.0.1:0', expose, () => nowMs);
});

beforeEach(() => {
  collections = 0;
  nowMs += 1_000;
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

test('a connection that sends requests ahead is closed after at most one collection, and few of them begin', async () => {
  mayEnd.resolve();
  let begun = 0;
  const count = () => {
    begun += 1;
  };
  subscribe('http.server.request.start', count);
  const answers = await exchange(request.repeat(2_000));
  unsubscribe('http.server.request.start', count);
  assert.deepEqual([answers, collections, begun], ['', 1, 2]);
});

for (const [label, bytes] of [
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'],
  ['with a length', 'Content-Length: 1000\r\n\r\nx'],
])
  test(`a request with a body ${label} is refused at once, and closes its connection`, async () => {
    const answer = await exchange(request.replace('\r\n\r\n', `\r\n${bytes}`));
    assert.match(answer, /^HTTP\/1\.1 400 .*\r\nConnection: close\r\n.*\r\nsend no body\n$/s);
    assert.equal(collections, 0);
  });

for (const [label, expectation] of [
  ['an unknown expectation', 'foo'],
  ['an expectation that Node.js knows', '100-continue'],
])
  test(`a body after ${label} is not taken for the next request`, async () => {
    mayEnd.resolve();
    const headers = `\r\nExpect: ${expectation}\r\nContent-Length: ${request.length}\r\n\r\n`;
    const answer = await exchange(request.replace('\r\n\r\n', headers) + request);
    assert.deepEqual(answer.match(/^(?:HTTP\/1.1 \d+|Connection: .*)/gm), [
      `HTTP/1.1 ${expectation === 'foo' ? 417 : 400}`,
      'Connection: close',
    ]);
    assert.equal(collections, 0);
  });

for (const [label, headers] of [
  ['a body', 'Content-Length: 3\r\n\r\nabc'],
  ['chunks', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'],
  ['no body', '\r\n'],
])
  test(`CONNECT with ${label} closes its connection at once`, async () => {
    assert.equal(await exchange(`CONNECT x:443 HTTP/1.1\r\nHost: x\r\n${headers}`), '');
  });

test('requests that come while the metrics are collected share them; the next one gets others', async () => {
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
  nowMs += 1_000;
  assert.equal(await (await fetch(listener.url)).text(), `collection ${before + 1}`);
});

test('requests one after the other on one connection are all answered', async () => {
  const [first, second] = [await fetch(listener.url), await fetch(listener.url)];
  assert.deepEqual([first.status, second.status], [200, 200]);
  await Promise.all([first.text(), second.text()]);
});

test('the metrics are collected at most once a second, and again after a failure', async () => {
  mayEnd.resolve();
  const ask = async () => (await fetch(listener.url)).text();
  for (let count = 0; count < 20; count += 1) assert.equal(await ask(), 'collection 1');
  nowMs += 999;
  assert.equal(await ask(), 'collection 1');
  nowMs += 1;
  mayEnd = Promise.withResolvers();
  mayEnd.promise.catch(() => {});
  mayEnd.reject(new Error('no memory'));
  assert.equal((await fetch(listener.url)).status, 500);
  mayEnd = Promise.withResolvers();
  mayEnd.resolve();
  assert.equal(await ask(), 'collection 3');
});

test('connections that do not finish their headers soon leave their place to a scraper', {
  timeout: 40_000,
}, async () => {
  mayEnd.resolve();
  const { port } = new URL(listener.url);
  const starts = ['G', 'GET /metrics HTTP/1.1\r\nHost: x\r\n'];
  const sockets = Array.from({ length: 100 }, (_, index) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.write(starts[index % starts.length] as string);
    return socket.resume();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const onItsOwn = request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  assert.equal(await exchange(onItsOwn), '', 'the places are taken');
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
  assert.match(await exchange(onItsOwn), /^HTTP\/1.1 200 OK/);
});

test('connections that send nothing, or nothing after an answer, give way to a scraper', async () => {
  mayEnd.resolve();
  const idle = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      if (index % 2 === 0) return socket.resume();
      socket.write(request);
      await once(socket, 'data');
      return socket;
    }),
  );
  try {
    while ((await exchange(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))) === '');
    assert.ok(
      idle.some(({ destroyed, readableEnded }) => destroyed || readableEnded),
      'one of them was closed',
    );
  } finally {
    for (const socket of idle) socket.destroy();
  }
});
