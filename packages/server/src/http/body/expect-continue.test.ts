import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startTestServer } from '../../../test/test-server.ts';

const limits = { bodyBytesMax: 10_000, batchBodyBytesMax: 10_000 };
const server = await startTestServer({ settings: limits });
after(() => server.close());

interface Head {
  readonly method?: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const expectation = { Expect: '100-continue' };

function headOf({ method = 'POST', target, headers }: Head): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Sends a head and perhaps some of its body, and returns all that the server sends until it ends the connection. */
async function exchange(head: Head, body = ''): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(headOf(head) + body);
  return text(socket);
}

const oversized = '104857600';
const fromConsole = { 'X-Fieldroster-Console': '1', 'Content-Type': 'application/json' };
const signed = (body: string) => server.sign('POST', '/user', body).headers;

const refused: readonly [string, Head, number][] = [
  [
    'a declared length above the limit',
    { target: '/user', headers: { ...signed('x'), 'Content-Length': oversized } },
    1004,
  ],
  [
    'a declared length above the limit, without a signature',
    { target: '/user', headers: { 'Content-Length': oversized } },
    1004,
  ],
  ['no signing headers', { target: '/user', headers: { 'Content-Length': '5000' } }, 1011],
  ['no signing headers, in chunks', { target: '/user', headers: { 'Transfer-Encoding': 'chunked' } }, 1011],
  ['an unknown path', { target: '/nothing', headers: { 'Content-Length': '5000' } }, 1005],
  ['a wrong method', { method: 'PATCH', target: '/user', headers: { 'Content-Length': '5000' } }, 1006],
  [
    'a declared length above the limit, for the console',
    { target: '/console/api/session', headers: { ...fromConsole, 'Content-Length': oversized } },
    1004,
  ],
  [
    'no origin, for the console',
    { target: '/console/api/session', headers: { ...fromConsole, 'Content-Length': '5000' } },
    1605,
  ],
];

for (const [what, head, code] of refused) {
  test(`a request with Expect and ${what} is refused before it sends its body`, async () => {
    const answer = await exchange({ ...head, headers: { ...head.headers, ...expectation } });
    assert.match(
      answer,
      new RegExp(`^HTTP/1\\.1 [2-5]\\d\\d .*\r\nConnection: close\r\n.*"code":${code},`, 's'),
    );
  });
}

test('the refusal is the same as without Expect', async () => {
  const length = '10001';
  const body = 'x'.repeat(10_001);
  const head = { target: '/user', headers: { 'Content-Length': length } };
  const envelopeOf = (answer: string) => /\{.*\}/.exec(answer)?.[0];
  const waited = envelopeOf(await exchange({ ...head, headers: { ...head.headers, ...expectation } }));
  const uploaded = await exchange({ ...head, headers: { ...head.headers, Connection: 'close' } }, body);
  assert.equal(waited, envelopeOf(uploaded));
});

test('a client that sends its body with the head does not wait, and its refused body is read', async () => {
  const body = 'x'.repeat(10_001);
  const headers = { 'Content-Length': '10001', ...expectation };
  const next = headOf({ method: 'GET', target: '/healthz', headers: { Connection: 'close' } });
  const answers = await exchange({ target: '/user', headers }, body + next);
  assert.match(answers, /"code":1004,.*HTTP\/1\.1 200 OK/s, 'the connection stays usable');
});

test('a request that will be read gets 100 Continue, and keeps its connection', async () => {
  const body = '{"username":"asked","password":"p"}';
  const headers = { ...signed(body), 'Content-Length': String(body.length), ...expectation };
  const socket = connect(server.port, '127.0.0.1');
  socket.write(headOf({ target: '/user', headers }));
  const [first] = await once(socket, 'data');
  assert.equal(String(first), 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(body);
  const [second] = await once(socket, 'data');
  assert.match(String(second), /^HTTP\/1\.1 200 .*\r\nConnection: keep-alive\r\n.*"code":0/s);
  socket.destroy();
});

test('a request without a body keeps its connection, although it has Expect', async () => {
  for (const length of [undefined, '0']) {
    const headers = { ...expectation, ...(length !== undefined && { 'Content-Length': length }) };
    const head = { method: 'GET', target: '/healthz', headers };
    const last = headOf({ ...head, headers: { Connection: 'close' } });
    assert.match(await exchange(head, last), /^HTTP\/1\.1 100 .*HTTP\/1\.1 200 .*HTTP\/1\.1 200 /s);
  }
});
