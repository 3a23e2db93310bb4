import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startTestServer } from '../../test/test-server.ts';
import { keepWriteOrder } from './keep-write-order.ts';

const server = await startTestServer();
after(() => server.close());

/** Returns a signed request, as bytes. */
function signed(method: string, target: string, fields?: object): string {
  const body = fields === undefined ? undefined : JSON.stringify(fields);
  const { headers } = server.sign(method, target, body);
  const length = body === undefined ? {} : { 'Content-Length': body.length };
  const lines = Object.entries({ Host: 'x', ...headers, ...length });
  return `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}

/** Sends requests in one piece, and returns the envelopes of the answers. */
async function sendAhead(
  requests: readonly string[],
): Promise<{ code: number; data?: { nickname: string } }[]> {
  const client = connect(server.port, '127.0.0.1');
  const last = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  client.write([...requests, last].join(''));
  const answers = (await text(client)).split(/HTTP\/1\.1 \d{3}.*?\r\n\r\n/s);
  return answers.slice(1, -1).map((answer) => JSON.parse(answer));
}

test('requests that a client sends ahead see what those before them did', async () => {
  const answers = await sendAhead([
    signed('POST', '/user', { username: 'ahead', password: 'Gr33n-Tea' }),
    signed('PUT', '/user', { username: 'ahead', nickname: 'A' }),
    signed('GET', '/user?username=ahead'),
    signed('DELETE', '/user?username=ahead'),
    signed('GET', '/user?username=ahead'),
  ]);
  assert.deepEqual(
    answers.map(({ code }) => code),
    [0, 0, 0, 0, 1101],
  );
  assert.equal(answers[2]?.data?.nickname, 'A');
});

test('of the updates that a client sends ahead, the last one decides', async () => {
  await server.call('POST', '/user/stores', { username: 'often' });
  const updates = Array.from({ length: 20 }, (_, index) =>
    signed('PUT', '/user', { username: 'often', nickname: `${index}` }),
  );
  assert.ok((await sendAhead(updates)).every(({ code }) => code === 0));
  const { envelope } = await server.call('GET', '/user?username=often');
  assert.equal((envelope.data as { nickname: string }).nickname, '19');
});

interface Held {
  readonly client: Socket;
  /** The requests that have begun. */
  readonly begun: { request: IncomingMessage; response: ServerResponse }[];
}

/** Sends requests to a server that answers none by itself. */
async function hold(t: TestContext, methods: readonly string[]): Promise<Held> {
  const begun: Held['begun'] = [];
  const holding = createServer((request, response) => begun.push({ request, response }));
  keepWriteOrder(holding);
  holding.listen(0, '127.0.0.1');
  await once(holding, 'listening');
  t.after(() => holding.close());
  const client = connect((holding.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => client.destroy());
  client.write(
    methods.map((method) => `${method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`).join(''),
  );
  while (begun.length === 0) await nextTurn();
  return { client, begun };
}

test('reads begin side by side; a write waits for them, and they wait for it', async (t) => {
  const { client, begun } = await hold(t, ['GET', 'HEAD', 'GET', 'PUT', 'GET', 'GET', 'POST', 'DELETE']);
  const methods = () => begun.map(({ request }) => request.method).join(' ');
  assert.equal(methods(), 'GET HEAD GET');
  const answer = async (count: number) => {
    for (const { response } of begun.slice(-count)) response.end('{}');
    await once(client, 'data');
    await nextTurn();
  };
  await answer(3);
  assert.equal(methods(), 'GET HEAD GET PUT');
  await answer(1);
  assert.equal(methods(), 'GET HEAD GET PUT GET GET');
  await answer(2);
  assert.equal(methods(), 'GET HEAD GET PUT GET GET POST');
  await answer(1);
  assert.equal(methods(), 'GET HEAD GET PUT GET GET POST DELETE');
  await answer(1);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nPUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  while (begun.length < 9) await nextTurn();
  await nextTurn();
  assert.equal(methods(), 'GET HEAD GET PUT GET GET POST DELETE GET');
  await answer(1);
  assert.equal(begun.length, 10);
});

test('a request that waits on a connection that ends never begins', async (t) => {
  const { client, begun } = await hold(t, ['PUT', 'PUT']);
  const [first] = begun;
  const closed = once(first?.response ?? client, 'close');
  client.destroy();
  await closed;
  await nextTurn();
  assert.equal(begun.length, 1);
});

test('nor does one that waits behind an answer that closes the connection', async (t) => {
  const { client, begun } = await hold(t, ['PUT', 'PUT']);
  client.resume();
  begun[0]?.response.writeHead(200, { Connection: 'close' }).end('{}');
  await once(client, 'close');
  assert.equal(begun.length, 1);
});
