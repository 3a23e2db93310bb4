import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { startTestServer } from '../../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const upgrade = 'Host: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n';
const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Sends each packet after the answer to the one before, and returns all answers when the connection has closed. */
async function answersTo(...packets: readonly string[]): Promise<string[]> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  const answers: string[] = [];
  socket.on('data', (answer: string) => answers.push(answer));
  const closed = once(socket, 'close');
  for (const packet of packets) {
    socket.write(packet);
    await Promise.race([once(socket, 'data'), closed]);
  }
  await closed;
  return answers.join('').split(/(?=HTTP\/1\.1 )/);
}

for (const [label, packet] of [
  ['a request', `GET /healthz HTTP/1.1\r\n${upgrade}\r\n${get}`],
  ['half a request', `GET /healthz HTTP/1.1\r\n${upgrade}\r\nGET /hea`],
  ['a request behind its body', `POST /user HTTP/1.1\r\n${upgrade}Content-Length: 2\r\n\r\n{}${get}`],
] as const)
  test(`the answer to Upgrade is the last one if ${label} follows in the same packet`, async () => {
    const answers = await answersTo(packet, last);
    assert.equal(answers.length, 1);
    assert.match(answers[0] ?? '', /^HTTP\/1\.1 200 .*^Connection: close\r$/ms);
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
