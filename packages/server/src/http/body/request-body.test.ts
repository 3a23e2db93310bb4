import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { type Answer, startTestServer } from '../../../test/test-server.ts';

const server = await startTestServer({ settings: { bodyBytesMax: 10_000, batchBodyBytesMax: 50_000 } });
after(() => server.close());

/** Returns a JSON object of exactly this many bytes, with valid fields. */
function bodyOf(username: string, bytes: number): string {
  const start = `{"username":"${username}","password":"p","padding":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
}

function assertTooLarge(answer: Answer, limit: number): void {
  assert.deepEqual(answer.envelope, {
    code: 1004,
    message: `the body is larger than the limit of ${limit} bytes`,
  });
  assert.equal(answer.status, 413);
}

for (const chunked of [false, true]) {
  const way = chunked ? 'in chunks' : 'with a Content-Length';

  test(`a body of exactly the limit, sent ${way}, is read; one byte more is 1004`, async () => {
    const at = await server.call('POST', '/user', bodyOf(`at.${chunked}`, 10_000), { chunked });
    assert.equal(at.envelope.code, 0, at.text);
    assertTooLarge(await server.call('POST', '/user', bodyOf('over', 10_001), { chunked }), 10_000);
  });

  test(`the batch operation has its own limit, ${way}`, async () => {
    const target = '/user/stores';
    const at = await server.call('POST', target, bodyOf(`batch.${chunked}`, 50_000), { chunked });
    assert.equal(at.envelope.code, 0, at.text);
    assertTooLarge(await server.call('POST', target, bodyOf('over', 50_001), { chunked }), 50_000);
  });

  test(`the sender of 5 MiB ${way} can read the envelope, and the connection stays open`, async () => {
    assertTooLarge(await server.call('POST', '/user', 'x'.repeat(5_000_000), { chunked }), 10_000);
    const next = await server.call('GET', '/user?username=nobody');
    assert.equal(next.envelope.code, 1101);
  });
}

test('a body over the limit is refused on every method, before its signature is checked', async () => {
  const headers = { Authorization: undefined };
  for (const [method, target] of [
    ['GET', '/user'],
    ['PUT', '/user'],
    ['DELETE', '/user/role'],
  ] as const) {
    assertTooLarge(await server.call(method, target, 'x'.repeat(10_001), { headers }), 10_000);
  }
});

test('a body that ends before its announced length changes nothing and does not disturb the server', async () => {
  const before = await server.snapshot();
  const body = '{"username":"cut","password":"p"}';
  const { Authorization, Timestamp, Nonce } = server.sign('POST', '/user', body).headers;
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `POST /user HTTP/1.1\r\nHost: x\r\nAuthorization: ${Authorization}\r\nTimestamp: ${Timestamp}\r\n` +
      `Nonce: ${Nonce}\r\nContent-Length: ${body.length + 5}\r\n\r\n${body}`,
  );
  await once(socket, 'ready');
  socket.destroy();
  await once(socket, 'close');
  assert.equal((await server.call('GET', '/user?username=cut')).envelope.code, 1101);
  assert.deepEqual(await server.snapshot(), before);
});

test('a client that waits for 100 Continue gets it', async () => {
  const body = { username: 'continue', password: 'p' };
  await server.succeed('POST', '/user', body, { headers: { Expect: '100-continue' } });
});
