import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { type Overrides, startTestServer } from '../../test/test-server.ts';
import { updateApplication } from '../admin/applications.ts';
import { keepWriteOrder } from './keep-write-order.ts';
import { queuedMax } from './limits/limit-unanswered.ts';

const server = await startTestServer();
after(() => server.close());

/** Returns a signed request, as bytes. */
function signed(
  method: string,
  target: string,
  fields?: object,
  signer = server,
  overrides: Overrides = {},
): string {
  const body = fields === undefined ? undefined : JSON.stringify(fields);
  const { headers } = signer.sign(method, target, body, overrides);
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

test('one write more than may wait is refused, and those before it take effect in their order', async () => {
  await server.call('POST', '/user/stores', { username: 'more' });
  const updates = Array.from({ length: 1 + queuedMax + 1 }, (_, index) =>
    signed('PUT', '/user', { username: 'more', nickname: `${index}` }),
  );
  // The connection ends with the refusal, which takes the place of the last answer.
  const answers = await sendAhead(updates);
  assert.deepEqual(
    answers.map(({ code }) => code),
    Array.from({ length: 1 + queuedMax }, () => 0),
  );
  const { envelope } = await server.call('GET', '/user?username=more');
  assert.equal((envelope.data as { nickname: string }).nickname, `${queuedMax}`);
});

test('a large body that is sent ahead arrives while its request waits', async () => {
  const users = Array.from({ length: 500 }, (_, index) => ({
    username: `large-${index}`,
    real_name: 'Mara Okafor',
  }));
  const answers = await sendAhead([
    signed('POST', '/user/stores', { username: 'before' }),
    signed('POST', '/users/batch', { users }),
    signed('GET', '/user?username=large-499'),
  ]);
  assert.deepEqual(
    answers.map(({ code }) => code),
    [0, 0, 0],
  );
});

/** Ends of what an application may do, one second after they are decided. */
const ends = [
  {
    of: 'application',
    code: 1013,
    decide: (appId: string) => updateApplication(server, appId, { expiresAtMs: server.nowMs + 1_000 }),
  },
  {
    of: 'secret',
    code: 1014,
    decide: (appId: string) => {
      const sealed = server.vault.seal(appId, 'the-next-secret-of-this-test');
      const { applications } = server.database;
      return applications.addSecret(appId, { sealed, oldExpiresAtMs: server.nowMs + 1_000 });
    },
  },
];

for (const { of, code, decide } of ends) {
  test(`a request is refused if its ${of} has ended when its turn comes`, async () => {
    const as = { appId: `app-of-ended-${of}`, appSecret: `the-secret-of-the-${of}` };
    await server.issueApplication('write', as);
    await decide(as.appId);
    await server.app.applications.refresh();
    const [first = '', behind = ''] = [`first.${of}`, `behind.${of}`];
    const writes = [first, behind].map((username) =>
      signed('POST', '/user/stores', { username }, server, { as }),
    );
    const answers = await server.whileLocked(async () => {
      const sent = sendAhead(writes);
      // Another connection's answer shows that the server has read these.
      assert.equal((await server.call('GET', `/user?username=${behind}`)).envelope.code, 1101);
      server.nowMs += 1_000;
      return { sent };
    });
    assert.deepEqual(
      (await answers.sent).map((answer) => answer.code),
      [0, code],
    );
    assert.equal((await server.call('GET', `/user?username=${behind}`)).envelope.code, 1101);
  });
}

test('a request that expects to be told to go on is told so once the earlier ones are answered, and takes effect', async () => {
  await server.call('POST', '/user/stores', { username: 'expects' });
  const client = connect(server.port, '127.0.0.1');
  const [head = '', body = ''] = signed('PUT', '/user', { username: 'expects', nickname: 'B' }).split(
    '\r\n\r\n',
  );
  let read = '';
  client.on('data', (part) => (read += part));
  await server.whileLocked(async () => {
    const first = signed('PUT', '/user', { username: 'expects', nickname: 'A' });
    client.write(`${first}${head}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`);
    // Another connection's answer shows that the server has read these.
    assert.equal((await server.call('GET', '/user?username=expects')).envelope.code, 0);
    assert.equal(read, '');
  });
  while (!read.includes('100 Continue')) await once(client, 'data');
  client.write(body);
  await once(client, 'close');
  assert.deepEqual(read.match(/HTTP\/1\.1 \d{3}|"code":\d+/g), [
    ...['HTTP/1.1 200', '"code":0'],
    ...['HTTP/1.1 100', 'HTTP/1.1 200', '"code":0'],
  ]);
  const { envelope } = await server.call('GET', '/user?username=expects');
  assert.equal((envelope.data as { nickname: string }).nickname, 'B');
});

test('a stop answers the write under way, and begins none of those that wait for it', async () => {
  const stopping = await startTestServer();
  await stopping.call('POST', '/user/stores', { username: 'stops' });
  const client = connect(stopping.port, '127.0.0.1');
  const answers = text(client);
  const updates = ['A', 'B', 'C'].map((nickname) =>
    signed('PUT', '/user', { username: 'stops', nickname }, stopping),
  );
  const stopped = await stopping.whileLocked(async () => {
    client.write(updates.join(''));
    assert.equal((await stopping.call('GET', '/user?username=stops')).envelope.code, 0);
    return { closing: stopping.close() };
  });
  const received = await answers;
  await stopped.closing;
  assert.deepEqual(received.match(/"code":\d+|connection: \w+/g), ['connection: close', '"code":0']);
  const notBegun = stopping.logLines.filter((line) => line.includes('before this request was begun'));
  assert.equal(notBegun.length, 2);
});

interface Held {
  readonly client: Socket;
  readonly responses: readonly ServerResponse[];
  /** The methods of the requests that may be handled, or the codes with which their wait ended. */
  readonly begun: string[];
}

/** Sends requests to a server that answers none by itself, and waits until it has received all of them. */
async function hold(t: TestContext, methods: readonly string[]): Promise<Held> {
  const responses: ServerResponse[] = [];
  const begun: string[] = [];
  const holding = createServer(({ method = '', earlierAnswered }, response) => {
    responses.push(response);
    if (earlierAnswered === undefined) begun.push(method);
    else
      earlierAnswered.then(
        () => begun.push(method),
        ({ code }) => begun.push(String(code)),
      );
  });
  keepWriteOrder(holding);
  holding.listen(0, '127.0.0.1');
  await once(holding, 'listening');
  t.after(() => holding.close());
  const client = connect((holding.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => client.destroy());
  client.write(
    methods.map((method) => `${method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`).join(''),
  );
  while (responses.length < methods.length) await nextIteration();
  return { client, responses, begun };
}

test('reads begin side by side; a write waits for them, and they wait for it', async (t) => {
  const { client, responses, begun } = await hold(t, [
    'GET',
    'HEAD',
    'GET',
    'PUT',
    'GET',
    'GET',
    'POST',
    'DELETE',
  ]);
  client.resume();
  const answer = async (first: number, last = first) => {
    for (const response of responses.slice(first, last + 1)) response.end('{}');
    const closing = responses[last];
    if (closing?.closed === false) await once(closing, 'close');
    await nextIteration();
    return begun.join(' ');
  };
  assert.equal(begun.join(' '), 'GET HEAD GET');
  assert.equal(await answer(0, 1), 'GET HEAD GET');
  assert.equal(await answer(2), 'GET HEAD GET PUT');
  assert.equal(await answer(3), 'GET HEAD GET PUT GET GET');
  assert.equal(await answer(4, 5), 'GET HEAD GET PUT GET GET POST');
  assert.equal(await answer(6), 'GET HEAD GET PUT GET GET POST DELETE');
  await answer(7);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nPUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  while (responses.length < 10) await nextIteration();
  assert.equal(begun.slice(8).join(' '), 'GET');
  await answer(8);
  assert.equal(begun.slice(8).join(' '), 'GET PUT');
});

test('when the connection ends, no waiting request begins', async (t) => {
  const { client, responses, begun } = await hold(t, ['GET', 'GET', 'PUT', 'GET', 'PUT']);
  // Its answer waits for the first one, so that nothing tells that it will not be sent.
  responses[1]?.end('{}');
  client.destroy();
  while (begun.length < 5) await nextIteration();
  assert.deepEqual(begun, ['GET', 'GET', '1503', '1503', '1503']);
});

test('behind an answer that closes the connection, no waiting request begins', async (t) => {
  const { client, responses, begun } = await hold(t, ['PUT', 'PUT', 'PUT']);
  client.resume();
  responses[0]?.writeHead(200, { Connection: 'close' }).end('{}');
  await once(client, 'close');
  while (begun.length < 3) await nextIteration();
  assert.deepEqual(begun, ['PUT', '1503', '1503']);
});
