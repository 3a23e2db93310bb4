import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { newChangeId } from './change-id.ts';
import { exchange, type PageRequest } from './exchange.ts';

const server = createServer((_, response) =>
  response.end('{"code":1015,"message":"this signed request has already taken effect"}'),
);
server.listen(0, '127.0.0.1');
after(() => server.close());
await once(server, 'listening');

const change = (): PageRequest => ({
  method: 'POST',
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console/api/tenants/1/user`,
  body: '{}',
  changeId: newChangeId(),
});

test('a change is a success if a proxy on the way sent it twice and the answer is about the second copy', async () => {
  assert.equal(await exchange(change()), undefined);
});

test('a change that is kept across reloads is reported as made before', async () => {
  await assert.rejects(exchange({ ...change(), isKept: true }), { name: 'CallError', code: 1015 });
});
