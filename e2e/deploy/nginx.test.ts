import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '@fieldroster/contract';
import { signRequest } from '@fieldroster/signing';
import { sendRequest } from '../../packages/server/test/send-request.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { NginxProcess, nginxIsInstalled } from './nginx-process.ts';

if (nginxIsInstalled()) describe('two nodes behind deploy/nginx.conf', testBehindNginx);
else
  console.error(
    'NOT TESTED: deploy/nginx.conf, because nginx is not installed; on Debian: apt-get install nginx',
  );

function testBehindNginx(): void {
  let directory: Provisioned;
  let nodes: [ServerProcess, ServerProcess];
  let proxy: NginxProcess;
  const agent = new Agent({ keepAlive: true });

  before(async () => {
    directory = await provisionDirectory(1);
    nodes = [await ServerProcess.start(directory), await ServerProcess.start(directory)];
    proxy = await NginxProcess.start([nodes[0].port, nodes[1].port]);
  });

  after(async () => {
    agent.destroy();
    await proxy.stop();
    for (const node of nodes) await node.stop();
    await directory.remove();
  });

  interface Call {
    readonly method?: string;
    readonly target: string;
    readonly body?: string | Uint8Array | undefined;
    readonly chunked?: boolean;
  }

  async function send({ method = 'GET', ...call }: Call, to: { readonly url: string } = proxy) {
    const { target, body } = call;
    const { headers } = signRequest({ ...directory.credentials, method, target, body, nonce: randomUUID() });
    const answer = await sendRequest(Number(new URL(to.url).port), agent, { method, headers, ...call });
    return {
      ...answer,
      envelope: JSON.parse(answer.text) as { code: number; message: string; data?: Record<string, unknown> },
    };
  }

  const names = ['a b', 'a+b', 'a/b', '张 伟+1', '..', '%2B', '/../x', 'a;b&c=d#e'];

  test('a request arrives as it was signed, in any encoding', async () => {
    for (const username of names) {
      const { envelope } = await send({
        method: 'POST',
        target: '/user/stores',
        body: JSON.stringify({ username }),
      });
      assert.equal(envelope.code, 0, envelope.message);
      for (const value of encodingsOf(username)) {
        const target = `/user?z=%20&username=${value}&b=%2f&b=+&a`;
        const answer = await send({ target });
        assert.equal(answer.envelope.data?.username, username, `${target}: ${answer.text}`);
      }
    }
  });

  /** Everything encoded, as little as possible, in lower case, and as a form encodes it. */
  function encodingsOf(text: string): string[] {
    const all = [...Buffer.from(text)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      .join('');
    const least = text.replaceAll(/[\s%&#+]|[^ -~]+/g, encodeURIComponent);
    const form = new URLSearchParams({ text }).toString().slice('text='.length);
    return [all, least, all.toLowerCase(), encodeURIComponent(text), form];
  }

  test('a path arrives as it was sent, and gets the same answer as without the proxy', async () => {
    const paths = [
      '/user',
      '//user',
      '/user/',
      '/./user',
      '/x/../user',
      '/%75ser',
      '/user%2frole',
      '/user%2Frole',
      '/USER',
      '/user/%20',
      '/Benutzer/ä',
    ];
    for (const path of paths) {
      for (const query of ['', '?', '?user_id=1', '?user_id=1&user_id=2', '?username=ä']) {
        const target = path + query;
        const [proxied, direct] = [await send({ target }), await send({ target }, nodes[0])];
        assert.deepEqual([proxied.status, proxied.text], [direct.status, direct.text], target);
      }
    }
  });

  test('a request line of many kilobytes arrives', async () => {
    const { envelope } = await send({ target: `/user?username=nobody&padding=${'x'.repeat(12_000)}` });
    assert.equal(envelope.code, 1101, envelope.message);
  });

  const bodies = [
    ['an operation', '/user', { username: 'absent' }, 'PUT', 1101, limits.bodyBytesMax],
    ['the batch operation', '/user/stores', { username: 'large' }, 'POST', 0, limits.batchBodyBytesMax],
    [
      'a bulk operation',
      '/users/batch',
      { users: [{ username: 'many' }] },
      'POST',
      0,
      limits.bulkBodyBytesMax,
    ],
  ] as const;

  for (const [title, target, content, method, code, bytesMax] of bodies) {
    test(`a body of ${title} arrives intact up to its limit, and beyond it the node refuses it`, async () => {
      const json = ` ${JSON.stringify(content)}\r\n\t`;
      for (const chunked of [false, true]) {
        const whole = await send({ method, target, body: json.padEnd(bytesMax), chunked });
        assert.equal(whole.envelope.code, code, whole.envelope.message);
        const { status, headers, envelope } = await send({
          method,
          target,
          body: json.padEnd(bytesMax + 1),
          chunked,
        });
        assert.deepEqual([status, envelope.code], [413, 1004]);
        assert.match(
          envelope.message,
          new RegExp(`^the body is larger than the limit of ${bytesMax} bytes;`),
        );
        assert.match(String(headers['x-request-id']), /./);
      }
    });
  }

  test('a body that nginx itself refuses also gets an envelope', async () => {
    const headers = { 'Content-Length': String(101 * 1024 * 1024) };
    const sent = request(`${proxy.url}/user`, { method: 'POST', headers });
    sent.on('error', () => {});
    sent.flushHeaders();
    const [response] = await once(sent, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    sent.destroy();
    const text = Buffer.concat(chunks).toString();
    assert.deepEqual([response.statusCode, response.headers['content-type']], [413, 'application/json']);
    assert.equal(JSON.parse(text).code, 1004);
  });

  test('the id of a request links two log lines: the node logs the request, nginx its sender', async () => {
    const { headers } = await send({ target: '/users?limit=1' });
    const id = String(headers['x-request-id']);
    const logged = () =>
      nodes
        .map(({ output }) => output)
        .join('')
        .includes(`"request_id":"${id}"`);
    const lineOf = () => proxy.accessLog.split('\n').find((each) => each.endsWith(`request_id=${id}`));
    // Both write their logs shortly after the answer.
    while (!logged() || lineOf() === undefined) await delay(20);
    const line = lineOf();
    assert.match(line ?? '', /^127\.0\.0\.1 \[.+\] GET \/users 200 [\d.]+ node=127\.0\.0\.1:\d+ request_id=/);
  });

  test('a lost node fails no request, and without any node the answer asks to try again', async () => {
    await nodes[0].kill();
    for (let count = 0; count < 20; count++) {
      const body = JSON.stringify({ username: `survivor ${count}` });
      const { envelope } = await send({ method: 'POST', target: '/user/stores', body });
      assert.equal(envelope.code, 0, envelope.message);
    }
    await nodes[1].kill();
    const { status, headers, envelope } = await send({ target: '/users' });
    assert.deepEqual([status, envelope.code, headers['retry-after']], [503, 1503, '1']);
  });
}
