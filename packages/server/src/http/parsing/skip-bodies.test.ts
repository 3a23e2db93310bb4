import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { connectClient } from '../../../test/connect-client.ts';
import { hasBody, skipBodies } from './skip-bodies.ts';

/** Sends a packet to a server, and returns what it got of its requests' bodies. */
async function bodiesOf(t: TestContext, packet: string, skips: boolean): Promise<string[]> {
  const bodies: string[] = [];
  const server = createServer((request) => {
    const index = bodies.push('') - 1;
    request.setEncoding('utf8').on('data', (text: string) => {
      bodies[index] += text;
    });
  });
  if (skips) skipBodies(server);
  server.on('clientError', (_error, socket) => socket.destroy());
  const { client, socket } = await connectClient(t, server);
  client.write(packet);
  while (socket.bytesRead < packet.length) await nextIteration();
  return bodies;
}

const chunked = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1_000)}`;
const upgrading = chunked.replace('Host: x', 'Host: x\r\nUpgrade: h2c\r\nConnection: Upgrade');
const counted = 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody';
const bare = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

for (const [label, packet, body] of [
  ['a body in chunks', chunked, 'x'.repeat(1_000)],
  ['a body in chunks after Upgrade', upgrading, 'x'.repeat(1_000)],
  ['a body with a length', counted, 'body'],
] as const) {
  test(`nothing of ${label} is read, nor what follows it in its packet`, async (t) => {
    assert.deepEqual(await bodiesOf(t, packet + bare, true), ['']);
  });

  test(`${label} is read where bodies are not skipped`, async (t) => {
    const [first] = await bodiesOf(t, packet, false);
    assert.equal(first, body);
  });
}

for (const [label, expectation] of [
  ['a listener', ''],
  ['Node.js', 'Expect: foo\r\n'],
])
  test(`the connection of a request with a body is closed by the answer of ${label}`, async (t) => {
    const server = createServer((_request, response) => response.end());
    skipBodies(server);
    const { client } = await connectClient(t, server);
    client.write(counted.replace('Content-Length', `${expectation}Content-Length`).replace('body', bare));
    assert.match(await text(client), /^HTTP\/1\.1 (?:200|417) .*\r\nConnection: close\r\n(?!.*HTTP)/s);
  });

for (const length of [0, 3])
  test(`CONNECT with a body of ${length} bytes is closed without an answer`, async (t) => {
    const server = createServer(() => assert.fail('it is not a request'));
    skipBodies(server);
    const { client } = await connectClient(t, server);
    client.write(
      `CONNECT x:443 HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`,
    );
    assert.equal(await text(client), '');
  });

test('requests without a body are read one after the other', async (t) => {
  const empty = bare.replace('Host: x', 'Host: x\r\nContent-Length: 0');
  assert.deepEqual(await bodiesOf(t, bare + empty + bare, true), ['', '', '']);
});

test('a request has a body if its headers announce one', () => {
  const announce = (headers: IncomingMessage['headers']) => hasBody({ headers });
  assert.deepEqual(
    [{}, { 'content-length': '0' }, { 'content-length': '1' }, { 'transfer-encoding': 'chunked' }].map(
      announce,
    ),
    [false, false, true, true],
  );
});
