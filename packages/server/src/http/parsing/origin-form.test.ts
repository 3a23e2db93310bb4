import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { applications, startTestServer } from '../../../test/test-server.ts';
import { originForm } from './origin-form.ts';

const { appId, appSecret } = applications.main;
const server = await startTestServer();
after(() => server.close());

async function send(lines: readonly string[]): Promise<string> {
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'end');
  socket.destroy();
  return text;
}

test('only the origin of a whole URL is left out', () => {
  const forms = [
    ['/user?user_id=1', '/user?user_id=1'],
    ['http://127.0.0.1:8080/user?user_id=1', '/user?user_id=1'],
    ['https://directory.example/', '/'],
    ['/user?next=http://a/b', '/user?next=http://a/b'],
    ['HTTP://directory.example/user', '/user'],
    ['http://directory.example', '/'],
    ['http://directory.example?user_id=1', '/?user_id=1'],
    ['http://directory.example?next=/user', '/?next=/user'],
    ['user?next=http://a/b', 'user?next=http://a/b'],
    ['*', '*'],
    ['', ''],
  ] as const;
  for (const [target, path] of forms) assert.equal(originForm(target), path);
});

test('a request that names the whole URL is signed by its path, like any other', async () => {
  const [target, nonce] = ['/user?username=nobody', 'absolute-form'];
  const text = ['GET', server.nowSeconds, nonce, target].join('\n');
  const signature = createHmac('sha256', appSecret).update(text).digest('base64');
  const answer = await send([
    `GET http://127.0.0.1:${server.port}${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: cbs:${appId}:${signature}`,
    `Timestamp: ${server.nowSeconds}`,
    `Nonce: ${nonce}`,
    'Connection: close',
  ]);
  assert.match(answer, /"code":1101,/);
});

test('CONNECT is answered with an envelope', async () => {
  const answer = await send(['CONNECT directory.example:443 HTTP/1.1', 'Host: directory.example:443']);
  assert.match(answer, /^HTTP\/1\.1 405 .*X-Request-Id: .*"code":1006,/s);
});
