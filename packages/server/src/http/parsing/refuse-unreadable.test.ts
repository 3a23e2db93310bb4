import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startTestServer } from '../../../test/test-server.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

const server = await startTestServer();
const standard = await startTestServer({ settings: { httpStatus: 'standard' } });
after(() => Promise.all([server.close(), standard.close()]));

async function send(bytes: string, { port } = server) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const answers = await text(socket);
  return answers.split(/(?=HTTP\/1\.1 )/).map((answer) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head, envelope: JSON.parse(body) };
  });
}

const chunks = '2\r\n{}\r\n0\r\n\r\n';
const get = 'GET /user?username=a HTTP/1.1\r\nHost: x\r\n\r\n';

for (const coding of ['gzip, chunked', 'GZIP,chunked', 'chunked, chunked', 'identity, chunked']) {
  test(`a body with the transfer coding ${coding} is refused, and nothing after it is read`, async () => {
    const head = `POST /user HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
    const answers = await send(head + chunks + get);
    assert.deepEqual(
      answers.map(({ status, envelope }) => [status, envelope.code]),
      [[400, 1001]],
    );
    assert.match(answers[0]?.head ?? '', /^Connection: close$/m);
    assert.match(answers[0]?.envelope.message, /^the header Transfer-Encoding may only be "chunked"/);
  });
}

test('a body in chunks is read, in whatever letters the coding is named', async () => {
  for (const coding of ['chunked', 'Chunked']) {
    const head = `POST /user HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
    const [answer] = await send(head + chunks);
    assert.equal(answer?.envelope.code, 1011, JSON.stringify(answer));
  }
});

test('a body in chunks is refused under HTTP/1.0, and nothing after it is read', async () => {
  const head = 'POST /user HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n';
  const last = get.replace('Host: x', 'Host: x\r\nConnection: close');
  const answers = await send(head + chunks + last);
  assert.deepEqual(
    answers.map(({ status, envelope }) => [status, envelope.code]),
    [[400, 1001]],
  );
  assert.match(answers[0]?.envelope.message, /^a request of HTTP\/1\.0 cannot have a body in chunks/);
});

test('a request of HTTP/1.0 is read with a Content-Length or without a body', async () => {
  const [answer] = await send('GET /user HTTP/1.0\r\n\r\n');
  assert.equal(answer?.envelope.code, 1011);
  const [posted] = await send('POST /user HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}');
  assert.equal(posted?.envelope.code, 1011);
});

for (const target of ['/user#x', '/user?username=a#x', '/user?username=#', 'http://x/user#', '/none#']) {
  test(`a fragment is refused in ${target}, after the answer to the request before it`, async () => {
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const [first, refusal, ...more] = await send(get + request + get);
    assert.deepEqual(more, []);
    assert.notEqual(first?.envelope.message, refusal?.envelope.message);
    assert.deepEqual([refusal?.status, refusal?.envelope.code], [200, 1001]);
    assert.match(refusal?.envelope.message, /has a #.*%23/);
    assert.equal((await send(request, standard))[0]?.status, 400);
  });
}

test('more than 200 headers are refused, also where Node.js itself does not refuse them', async () => {
  const plain = createServer((_request, response) => response.end('read'));
  // Without a limit, Node.js passes all of them on; before version 26, it drops those beyond a limit.
  plain.maxHeadersCount = 0;
  refuseUnreadable(plain, (fault, _request, socket) => socket.end(fault));
  await once(plain.listen(0, '127.0.0.1'), 'listening');
  const answerTo = async (headers: number) => {
    const socket = connect((plain.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'X: y\r\n'.repeat(headers - 2)}\r\n`);
    return text(socket);
  };
  try {
    assert.match(await answerTo(200), /read$/);
    assert.equal(await answerTo(201), 'header-count');
  } finally {
    plain.close();
  }
});

test('in a release of Node.js whose parser cannot be stopped, the connection is closed without an answer', async () => {
  const plain = createServer((_request, response) => response.end('read'));
  refuseUnreadable(plain, (fault, _request, socket) => socket.end(fault));
  plain.prependListener('request', (request) => Reflect.set(request.socket, 'parser', undefined));
  await once(plain.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((plain.address() as AddressInfo).port, '127.0.0.1');
  try {
    socket.write('GET /user#x HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.equal(await text(socket), '');
  } finally {
    socket.destroy();
    plain.close();
  }
});
