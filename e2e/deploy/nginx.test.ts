import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '@fieldroster/contract';
import { signRequest } from '@fieldroster/signing';
import { reservePort } from '../../packages/server/test/reserve-port.ts';
import { sendRequest } from '../../packages/server/test/send-request.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { NginxProcess, nginxIsInstalled, readConfiguration } from './nginx-process.ts';

if (nginxIsInstalled()) {
  describe('two nodes behind deploy/nginx.conf', testBehindNginx);
  describe('nodes that do not answer behind deploy/nginx.conf', testLostAnswers);
} else
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

const busy = '{"code":1503,"message":"too many writes of this application are waiting"}';

/** What a node does with a request: end its connection without an answer, hold it, answer it, or refuse it with 1503. */
const reactions = {
  ends: (socket: Socket) => socket.destroy(),
  holds: () => {},
  serves: (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  refuses: (socket: Socket) =>
    socket.end(`HTTP/1.1 503 Service Unavailable\r\nContent-Length: ${busy.length}\r\n\r\n${busy}`),
} as const;

async function startNode(t: TestContext, reaction: keyof typeof reactions) {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      requests += 1;
      reactions[reaction](socket);
    });
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, requests: () => requests };
}

function testLostAnswers(): void {
  async function ask(proxy: NginxProcess, method: string) {
    const body = method === 'GET' ? null : '{}';
    const response = await fetch(`${proxy.url}/user`, { method, body });
    const { code, message } = (await response.json()) as { code: number; message: string };
    return { status: response.status, code, message };
  }

  test('/readyz answers for one node, even if that is not ready and the other one is', async (t) => {
    const nodes = [await startNode(t, 'refuses'), await startNode(t, 'serves')] as const;
    const proxy = await NginxProcess.start([nodes[0].port, nodes[1].port]);
    t.after(() => proxy.stop());
    const answers = await Promise.all(Array.from({ length: 4 }, () => fetch(`${proxy.url}/readyz`)));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    assert.equal(nodes[0].requests() + nodes[1].requests(), answers.length, 'none was passed on');
    assert.ok(bodies.includes(busy), String(bodies));
  });

  test('/readyz asks the other node if the first one gives no answer', async (t) => {
    const { port } = await startNode(t, 'serves');
    const proxy = await NginxProcess.start([await reservePort(), port]);
    t.after(() => proxy.stop());
    for (let count = 0; count < 4; count++) assert.equal((await fetch(`${proxy.url}/readyz`)).status, 200);
  });

  test('a write that a node may have applied is not answered with 1503, which proves the opposite', async (t) => {
    const nodes = [await startNode(t, 'ends'), await startNode(t, 'ends')] as const;
    const proxy = await NginxProcess.start([nodes[0].port, nodes[1].port]);
    t.after(() => proxy.stop());
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, code, message } = await ask(proxy, method);
      assert.deepEqual([status, code], [500, 1500], method);
      assert.match(message, /^the outcome is unknown; /);
    }
    assert.deepEqual(await ask(proxy, 'GET').then(({ status, code }) => [status, code]), [503, 1503]);
  });

  test('a write that reached no node is answered with 1503', async (t) => {
    const proxy = await NginxProcess.start([await reservePort(), await reservePort()]);
    t.after(() => proxy.stop());
    const { status, code } = await ask(proxy, 'POST');
    assert.deepEqual([status, code], [503, 1503]);
  });

  test('a write that one node refused and the other did not receive is answered with 1503', async (t) => {
    const { port } = await startNode(t, 'refuses');
    for (const nodes of [
      [port, await reservePort()],
      [await reservePort(), port],
    ] as const) {
      const proxy = await NginxProcess.start(nodes);
      t.after(() => proxy.stop());
      assert.deepEqual(await ask(proxy, 'POST').then(({ status, code }) => [status, code]), [503, 1503]);
    }
  });

  test('of two nodes, one loses the answer to a write and one refuses it: 1500, or the refusal if that comes last', async (t) => {
    const lost = await startNode(t, 'ends');
    const refusing = await startNode(t, 'refuses');
    for (const [nodes, code] of [
      [[refusing.port, lost.port], 1500],
      // docs/interface.md says that such a refusal tells nothing of the first copy.
      [[lost.port, refusing.port], 1503],
    ] as const) {
      const proxy = await NginxProcess.start(nodes);
      t.after(() => proxy.stop());
      assert.equal((await ask(proxy, 'POST')).code, code);
    }
  });

  test('a write is not sent to the other node when its signature may have expired, because 1012 says that it had no effect', async (t) => {
    const [, passesOn = ''] = /proxy_next_upstream_timeout (\d+)s;/.exec(readConfiguration()) ?? [];
    // The rest of the time is for clients whose clocks are late.
    assert.ok(Number(passesOn) > 0 && Number(passesOn) <= limits.timestampSkewSeconds / 2, passesOn);
    const nodes = [await startNode(t, 'holds'), await startNode(t, 'holds')] as const;
    const proxy = await NginxProcess.start(
      [nodes[0].port, nodes[1].port],
      [
        ['proxy_read_timeout 60s;', 'proxy_read_timeout 2s;'],
        [`proxy_next_upstream_timeout ${passesOn}s;`, 'proxy_next_upstream_timeout 1s;'],
      ],
    );
    t.after(() => proxy.stop());
    assert.equal((await ask(proxy, 'POST')).code, 1500);
    assert.equal(nodes[0].requests() + nodes[1].requests(), 1);
  });
}
