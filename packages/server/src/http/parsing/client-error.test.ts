import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { startTestServer } from '../../../test/test-server.ts';
import { refusalLinesMax } from '../log/refusal-budget.ts';

const server = await startTestServer();
after(() => server.close());

/** Sends bytes as given, and returns everything received until the server closes the connection. */
async function exchange(
  bytes: string | Buffer,
  port = server.port,
): Promise<{ head: string; envelope: { code: number; message: string } }> {
  const socket = connect(port, '127.0.0.1');
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
  ['a space in the target', 'GET /user?username=li wei HTTP/1.1\r\nHost: x\r\n\r\n', 200],
  ['several spaces in the target', 'GET /user?username=li Heng wei HTTP/1.1\r\nHost: x\r\n\r\n', 200],
  ['another protocol', 'GET /user FTP/1.0\r\nHost: x\r\n\r\n', 400],
  ['20 KiB of headers', `GET /user HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['201 headers', `GET /user HTTP/1.1\r\n${'X: y\r\n'.repeat(201)}\r\n`, 431],
  ['201 headers behind UTF-8', `GET /user?username=é HTTP/1.1\r\n${'X: y\r\n'.repeat(201)}\r\n`, 431],
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

test('200 headers are accepted', async () => {
  const { envelope } = await exchange(
    `GET /user HTTP/1.1\r\nConnection: close\r\n${'X: y\r\n'.repeat(199)}\r\n`,
  );
  assert.equal(envelope.code, 1011);
});

test('the answer to bytes that are not HTTP carries a request id', async () => {
  const { head } = await exchange('hello\r\n\r\n');
  assert.match(head, /^X-Request-Id: /im);
});

test('what cannot be read leaves one line with its address, its answer and the reason, and nothing of its bytes', async () => {
  const secret = 'do-not-log-this';
  for (const [bytes, code] of [
    [`${secret}\r\n\r\n`, 1001],
    [`GET /user?${secret}=\x7f HTTP/1.1\r\nHost: x\r\n\r\n`, 1001],
    [
      `GET /user HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\nX: ${secret}\r\n\r\nab`,
      1001,
    ],
    [`CONNECT ${secret}:443 HTTP/1.1\r\nHost: x\r\n\r\n`, 1006],
  ] as const) {
    const { head, envelope } = await exchange(bytes);
    const [, id] = /^X-Request-Id: (.*)$/m.exec(head) ?? [];
    const lines = server.logLines
      .map((line) => JSON.parse(line))
      .filter(({ request_id }) => request_id === id);
    const named = lines.map(({ time, reason, ...line }) => ({ ...line, told: envelope.message === reason }));
    const line = { level: 30, request_id: id, address: '127.0.0.1', operation: null, app_id: null };
    assert.deepEqual(named, [{ ...line, code, told: true, msg: 'request' }]);
  }
  assert.ok(!server.logLines.join('').includes(secret));
});

test('a flood of what cannot be read leaves a bounded number of lines', async (t) => {
  // No period ends, however long the requests take.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const flooded = await startTestServer();
  for (let batch = 0; batch < 30; batch += 1)
    await Promise.all(Array.from({ length: 10 }, () => exchange('hello\r\n\r\n', flooded.port)));
  t.mock.timers.reset();
  await flooded.close();
  const lines = flooded.logLines.filter((line) => line.includes('does not begin with a method'));
  assert.ok(lines.length > 0 && lines.length <= refusalLinesMax, `${lines.length} lines`);
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

/** Opens a connection that ends only when told to, and returns both sides of it. */
async function open(): Promise<{ client: Socket; served: Socket }> {
  const accepted = once(server.app.listener.server, 'connection');
  const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => {});
  const [served] = await accepted;
  return { client, served };
}

/** Reports a fault as the parser of Node.js does. */
function report(served: Socket, fault: object): void {
  server.app.listener.server.emit('clientError', Object.assign(new Error('a fault'), fault), served);
}

test('a request that does not arrive in time is answered with 408', async () => {
  const { client, served } = await open();
  report(served, { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  assert.match(await text(client), /^HTTP\/1\.1 408 .*"code":1001,.*did not arrive within 60 seconds/s);
  client.destroy();
});

test('what is sent after a refused request does not cost its answer; a second later, the connection is cut', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { client, served } = await open();
  const answer = text(client);
  const [first, second] = ['hello\r\n\r\n', 'hello again\r\n\r\n'];
  client.write(first);
  await once(served, 'prefinish');
  client.write(second);
  while (served.bytesRead < first.length + second.length) await nextIteration();
  t.mock.timers.tick(999);
  assert.equal(served.destroyed, false);
  t.mock.timers.tick(1);
  assert.equal(served.destroyed, true);
  assert.equal((await answer).split('HTTP/1.1 400 ').length, 2);
});

test('a fault on a connection that has had its last answer only closes it', async () => {
  const { client, served } = await open();
  served.end('the last answer');
  report(served, { code: 'HPE_INVALID_METHOD' });
  assert.equal(served.destroyed, true);
  assert.equal(served.errored, null);
  client.destroy();
});

test('a target that the parser refuses without its packet and position is refused, and not guessed', async () => {
  const rawPacket = Buffer.from('GET /user?\xe9 HTTP/1.1\r\nHost: x\r\n\r\n');
  for (const fault of [{}, { rawPacket }, { bytesParsed: 10 }]) {
    const { client, served } = await open();
    report(served, { code: 'HPE_INVALID_URL', ...fault });
    assert.match(await text(client), /"code":1001,"message":".*must be percent-encoded/s);
    client.destroy();
  }
});

test('a target is refused where this release of Node.js cannot parse it again', async () => {
  const { client, served } = await open();
  served.on('data', () => {});
  client.write(Buffer.from('GET /user?\xe9 HTTP/1.1\r\nHost: x\r\n\r\n'));
  assert.match(await text(client), /"code":1001,"message":".*must be percent-encoded/s);
  client.destroy();
});

test('a client may reset its connection after CONNECT; the server goes on', async () => {
  const { client, served } = await open();
  client.write('CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n');
  await once(client, 'data');
  // A listener for errors, which `once` of node:events adds, would hide that the server has none.
  const closed = new Promise((resolve) => served.once('close', resolve));
  client.resetAndDestroy();
  await closed;
  assert.equal((await server.call('GET', '/user?username=nobody')).envelope.code, 1101);
});

/** Sends a write while the database is locked, and these bytes right after it; returns all that is answered. */
async function answersTo(following: string, headers: Record<string, string> = {}): Promise<string> {
  const { client, served } = await open();
  const body = JSON.stringify({ username: 'before' });
  const signed = server.sign('POST', '/user/stores', body).headers;
  const fields = Object.entries({ ...signed, Host: 'x', 'Content-Length': body.length, ...headers });
  const head = fields.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  const bytes = `POST /user/stores HTTP/1.1\r\n${head}\r\n\r\n${body}${following}`;
  await server.whileLocked(async () => {
    client.write(bytes);
    while (served.bytesRead < bytes.length) await nextIteration();
  });
  const answers = await text(client);
  client.destroy();
  return answers;
}

test('CONNECT is refused after the answers to earlier requests', async () => {
  const answers = await answersTo('CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n');
  assert.match(answers, /^HTTP\/1\.1 200 .*"code":0,.*HTTP\/1\.1 405 .*"code":1006,/s);
});

for (const [label, following, status] of [
  ['bytes that are no request', 'hello\r\n\r\n', 400],
  ['20 KiB of headers', `GET /user HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
] as const) {
  test(`${label} right after a write are refused after its answer, which is not lost`, async () => {
    const answers = await answersTo(following);
    assert.match(
      answers,
      new RegExp(`^HTTP/1\\.1 200 .*"code":0,.*HTTP/1\\.1 ${status} .*"code":1001,`, 's'),
    );
  });
}

test('bytes after a request that closes its connection are ignored, and its answer is the last one', async () => {
  const answers = await answersTo('hello', { Connection: 'close' });
  assert.match(answers, /^HTTP\/1\.1 200 .*"code":0,/s);
  assert.equal(answers.split('HTTP/1.1 ').length, 2, answers);
});
