import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sendSigned } from './send-signed.ts';

test('an answer without end is left once it is too large', async (t) => {
  let left: Promise<unknown> = Promise.resolve();
  const server = createServer((_, response) => {
    left = once(response, 'close');
    response.write(' '.repeat(1001));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target = { url, appId: 'app', appSecret: 'a secret' };
  const answer = sendSigned(target, { method: 'GET', path: '/user' }, { answerBytesMax: 1000 });
  await assert.rejects(answer, {
    message: `${url}: the answer is larger than 1,000 bytes; check the URL, and any proxy in front of the server`,
  });
  await left;
});
