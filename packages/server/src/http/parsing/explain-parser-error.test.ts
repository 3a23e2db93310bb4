import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startTestServer } from '../../../test/test-server.ts';
import { explainParserError } from './explain-parser-error.ts';

const server = await startTestServer();
after(() => server.close());

/** Sends bytes as given, and returns the message of the last answer. */
function messageFor(bytes: string | Buffer): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(bytes);
  return lastMessage(socket);
}

async function lastMessage(socket: Socket): Promise<string> {
  const [last = ''] = (await text(socket)).split('\r\n\r\n').slice(-1);
  return JSON.parse(last).message;
}

const head = 'POST /user HTTP/1.1\r\n';
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;

const mistakes: readonly (readonly [label: string, bytes: string | Buffer, message: RegExp])[] = [
  [
    'a TLS handshake',
    Buffer.from('160301000201000100', 'hex'),
    /^this port expects HTTP, but .* use http:\/\//,
  ],
  [
    'text that is not HTTP',
    'hello\r\n\r\n',
    /^the request does not begin with a method of HTTP in capital letters/,
  ],
  [
    'a method in small letters',
    'get /user HTTP/1.1\r\n\r\n',
    /^the request does not begin with a method of HTTP/,
  ],
  [
    'more bytes than announced',
    'GET /healthz HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}{}',
    /the earlier one sent more bytes than its Content-Length says$/,
  ],
  [
    'an unencoded space in the query',
    'GET /user?real_name=a b HTTP/1.1\r\n\r\n',
    /percent-encode each space in them as %20$/,
  ],
  [
    'lines without CR',
    'GET /user HTTP/1.1\nHost: x\n\n',
    /^the request line does not end with HTTP\/1\.1 and CR LF$/,
  ],
  [
    'HTTP/2 from the start',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    /^HTTP\/2 is not supported: send HTTP\/1\.1$/,
  ],
  ['a header without a colon', 'GET /user HTTP/1.1\r\nHost\r\n\r\n', /^a header is malformed: /],
  ['a header over two lines', 'GET /user HTTP/1.1\r\nX: a\r\n b\r\n\r\n', /in one line that ends with CR LF/],
  [
    'a header line without LF',
    'GET /user HTTP/1.1\r\nX: a\rY: b\r\n\r\n',
    /ends with CR alone: end each with CR LF$/,
  ],
  [
    'headers whose empty line has no LF',
    'GET /user HTTP/1.1\r\nX: a\r\n\rY: b\r\n\r\n',
    /ends with CR alone: end each with CR LF$/,
  ],
  [
    'chunks and then a length',
    `${head}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n`,
    /^send Content-Length once, and not together with Transfer-Encoding$/,
  ],
  [
    'a length and then chunks',
    `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
    /^send Content-Length once, and not together with Transfer-Encoding$/,
  ],
  ...['gzip', 'identity', 'chunked, chunked'].map(
    (coding) =>
      [
        `the transfer coding ${coding}`,
        `${head}Transfer-Encoding: ${coding}\r\n\r\n`,
        /^the header Transfer-Encoding may only be "chunked", once; send Content-Length in place of another coding$/,
      ] as const,
  ),
  [
    'a length in letters',
    `${head}Content-Length: two\r\n\r\n`,
    /^the header Content-Length is not a number of bytes/,
  ],
  [
    'a length of 25 digits',
    `${head}Content-Length: ${'9'.repeat(25)}\r\n\r\n`,
    /^the header Content-Length is larger than any body may be: send the number of bytes of the body$/,
  ],
  ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, /^send Content-Length once/],
  [
    'a length beside chunks',
    `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    /^send Content-Length once, and not together with Transfer-Encoding$/,
  ],
  ['a chunk size that is not hexadecimal', `${chunked}xyz\r\n`, /^the chunks of the body are malformed: /],
  [
    'a chunk shorter than its size',
    `${chunked}3\r\n{}\r\n0\r\n\r\n`,
    /^the chunks of the body are malformed: /,
  ],
  ...['GET /user HTTP/1.1\r\nHost: a\nX: b\r\n\r\n', `${chunked}0\r\nX: a\n\r\n`].map(
    (bytes) =>
      [
        'a header that ends with LF alone',
        bytes,
        /^a line of the headers ends with LF alone: end each with CR LF$/,
      ] as const,
  ),
  ['a chunk size without CR', `${chunked}2\n{}\r\n0\r\n\r\n`, /^the chunks of the body are malformed: /],
  ['a chunk longer than its size', `${chunked}3\r\nabcdef\r\n`, /^the chunks of the body are malformed: /],
  [
    '20 KiB of chunk extensions',
    `${chunked}3;${'a'.repeat(20_000)}\r\n`,
    /^the chunk extensions are larger than 16 KiB/,
  ],
];

for (const [label, bytes, expected] of mistakes) {
  test(`the answer to ${label} says what to send instead`, async () => {
    assert.match(await messageFor(bytes), expected);
  });
}

for (const [label, bytes] of [
  ['headers without their end', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['a body shorter than its length', `${head}Content-Length: 9\r\n\r\n{}`],
  ['a body without its last chunk', `${chunked}2\r\n{}\r\n`],
] as const) {
  test(`the answer to ${label} says that the connection ended too early`, async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.end(bytes);
    assert.match(await lastMessage(socket), /^the connection ended before the request did: end the headers/);
  });
}

test('a mistake without an explanation is called an invalid request', () => {
  assert.equal(explainParserError({ code: 'HPE_USER' }), 'this is not a valid HTTP/1.1 request');
  assert.equal(explainParserError({}), 'this is not a valid HTTP/1.1 request');
});

test('only a TLS handshake is called one', () => {
  const handshake = Buffer.from([0x16, 3, 1]);
  assert.match(explainParserError({ code: 'HPE_INVALID_METHOD', rawPacket: handshake }), /TLS/);
  assert.match(explainParserError({ code: 'HPE_INVALID_METHOD' }), /method/);
  assert.match(explainParserError({ code: 'HPE_INVALID_VERSION', rawPacket: handshake }), /request line/);
});
