import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { ResponseWithFixedHeaders } from '../answers/fixed-headers.ts';
import { refuseAtOnce } from './refuse-at-once.ts';

const server = createServer({ ServerResponse: ResponseWithFixedHeaders }, (request, response) =>
  refuseAtOnce(request, response, { requestId: 'id-1', closing: request.url === '/closing' }),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());

/** Sends the head of a request, and returns the head of the answer. */
async function refuse(target: string, header = 'Accept: */*'): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
  const [chunk] = await once(socket, 'data');
  socket.destroy();
  const [head = ''] = String(chunk).split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 503 .*\r\nX-Request-Id: id-1\r\n/);
  assert.match(head, /^Retry-After: 1\r$/m);
  assert.match(head, /^Content-Type: application\/json; charset=utf-8\r$/m);
  assert.match(head, /^Content-Length: \d+\r$/m);
  return /^Connection: (.*)$/m.exec(head)?.[1]?.trim() ?? '';
}

test('the connection stays open, unless it is closing or the body would take long to discard', async () => {
  assert.equal(await refuse('/user'), 'keep-alive');
  assert.equal(await refuse('/user', 'Content-Length: 65536'), 'keep-alive');
  assert.equal(await refuse('/user', 'Content-Length: 65537'), 'close');
  assert.equal(await refuse('/user', 'Transfer-Encoding: chunked'), 'close');
  assert.equal(await refuse('/closing'), 'close');
});
