import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { startTestServer } from '../../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const upgrade = 'Host: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n';
const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Sends each packet once the server has read the one before, and returns all answers when the connection has closed. */
async function answersTo(...packets: readonly string[]): Promise<string[]> {
  const accepted = once(server.app.listener.server, 'connection');
  const client = connect(server.port, '127.0.0.1').setEncoding('latin1');
  // A server that closes the connection need not read everything.
  client.on('error', () => {});
  let answers = '';
  client.on('data', (data: string) => {
    answers += data;
  });
  const closed = new Promise((resolve) => client.once('close', resolve));
  const [served] = (await accepted) as [Socket];
  let sent = 0;
  for (const packet of packets) {
    if (served.destroyed) break;
    client.write(packet);
    sent += packet.length;
    while (!served.destroyed && served.bytesRead < sent) await nextIteration();
  }
  await closed;
  return answers.split(/(?=HTTP\/1\.1 )/);
}

for (const [label, packet] of [
  ['a request', `GET /healthz HTTP/1.1\r\n${upgrade}\r\n${get}`],
  ['half a request', `GET /healthz HTTP/1.1\r\n${upgrade}\r\nGET /hea`],
  ['a request after its body', `POST /user HTTP/1.1\r\n${upgrade}Content-Length: 2\r\n\r\n{}${get}`],
] as const)
  test(`the answer to Upgrade is the last one if ${label} follows in the same packet`, async () => {
    const answers = await answersTo(packet, last);
    assert.equal(answers.length, 1);
    assert.match(answers[0] ?? '', /^HTTP\/1\.1 200 .*^Connection: close\r$/ms);
  });

const post = `POST /user HTTP/1.1\r\n${upgrade}`;
const second = 'GET /second HTTP/1.1\r\nHost: x\r\n\r\n';
const third = 'GET /third HTTP/1.1\r\nHost: x\r\n\r\n';

for (const [label, packets] of [
  ['a request comes with its late body', [`${post}Content-Length: 2\r\n\r\n`, `{}${second}`, third]],
  [
    'a request comes with its late body, and that has a body of its own',
    [
      `${post}Content-Length: 2\r\n\r\n`,
      `{}POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: ${third.length}\r\n\r\n`,
      third,
    ],
  ],
  [
    'a request comes with its late body in chunks',
    [`${post}Transfer-Encoding: chunked\r\n\r\n`, `2\r\n{}\r\n0\r\n\r\n${second}`, third],
  ],
  ['its body comes in two packets', [`${post}Content-Length: 2\r\n\r\n{`, '}', third]],
  ['the empty line comes with a request', [`GET /first HTTP/1.1\r\n${upgrade}`, `\r\n${second}`, third]],
  ['the last byte comes with half a request', [`GET /first HTTP/1.1\r\n${upgrade}\r`, '\nGE', third]],
  ['the last byte comes with a request', [`GET /first HTTP/1.1\r\n${upgrade}\r`, `\n${second}`, third]],
  [
    'its body, which comes later, would end where the packet does if it began after the request before',
    [
      `${get}${post}Content-Length: ${post.length + 22}\r\n\r\n`,
      `${' '.repeat(post.length + 22)}${second}`,
      third,
    ],
  ],
] as const)
  test(`the answer to Upgrade is the last one if ${label}`, async () => {
    const answers = await answersTo(...packets, last);
    const answer = answers.at(-1) ?? '';
    assert.equal(answers.length, packets[0].startsWith(get) ? 2 : 1, answers.join('\n'));
    assert.match(answer, /^HTTP\/1\.1 \d+ .*^Connection: close\r$/ms);
    assert.doesNotMatch(answer, /second|third/);
  });

for (const [label, packet] of [
  ['without a body', `GET /healthz HTTP/1.1\r\n${upgrade}\r\n`],
  ['with one', `POST /user HTTP/1.1\r\n${upgrade}Content-Length: 2\r\n\r\n{}`],
] as const)
  test(`a request with Upgrade ${label} keeps its connection if nothing follows`, async () => {
    const answers = await answersTo(packet, last);
    assert.equal(answers.length, 2);
    assert.match(answers[0] ?? '', /^Connection: keep-alive\r$/m);
  });
