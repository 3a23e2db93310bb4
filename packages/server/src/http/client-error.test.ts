import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

/** Sends bytes as given, and returns everything received until the server closes the connection. */
async function exchange(bytes: string | Buffer): Promise<{ head: string; envelope: { code: number } }> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, envelope: JSON.parse(body) };
}

const broken: readonly (readonly [label: string, bytes: string | Buffer, status: number])[] = [
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ['a TLS greeting', Buffer.from('16030100020100', 'hex'), 400],
  ['a header without a colon', 'GET /user HTTP/1.1\r\nHost x\r\n\r\n', 400],
  ['two lengths', 'POST /user HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
  [
    'a length beside chunks',
    'POST /user HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a control character in the target', 'GET /user?a=\x7f HTTP/1.1\r\nHost: x\r\n\r\n', 200],
  ['20 KiB of headers', `GET /user HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
];

for (const [label, bytes, status] of broken) {
  test(`${label} is answered with ${status} and an envelope, and the connection is closed`, async () => {
    const { head, envelope } = await exchange(bytes);
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(head, /^Date: /m);
    assert.equal(envelope.code, 1001);
    assert.deepEqual(Object.keys(envelope), ['code', 'message']);
  });
}

test('the answer to bytes that are not HTTP carries a request id', async () => {
  const { head } = await exchange('hello\r\n\r\n');
  assert.match(head, /^X-Request-Id: /im);
});

test('a reset connection does not disturb the server', async () => {
  for (let count = 0; count < 5; count += 1) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /user HTTP/1.1\r\nHost:');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.resetAndDestroy();
  }
  assert.equal((await server.call('GET', '/user?username=nobody')).envelope.code, 1101);
});
