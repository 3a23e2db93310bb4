import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { ChunkTurns, type PausedAt } from './chunk-turns.ts';

const mebibyte = 1024 * 1024;
const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const lastChunk = '0\r\n\r\n';

/** Returns a body of different bytes, and its chunks. */
function chunked(length: number, chunkBytes: number) {
  const body = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
  const parts: string[] = [];
  for (let at = 0; at < length; at += chunkBytes) parts.push(body.slice(at, at + chunkBytes));
  const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
  return { body, chunks };
}

const oneByteChunks = chunked(10_000, 1);

/** Reads the body and answers with it. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => response.end(Buffer.concat(parts)));
}

interface OpenOptions {
  readonly handle?: (request: IncomingMessage, response: ServerResponse) => void;
  readonly heldBytesMax?: number;
  readonly clients?: number;
}

/** Starts a server whose bodies take turns, and opens connections to it. */
async function open(
  t: TestContext,
  { handle = echo, heldBytesMax = 64 * mebibyte, clients = 1 }: OpenOptions = {},
) {
  const server = createServer(handle);
  const turns = new ChunkTurns(heldBytesMax);
  const refused: (IncomingMessage | undefined)[] = [];
  const faults: (string | undefined)[] = [];
  turns.follow(server, (_socket, request) => refused.push(request));
  server.on('clientError', (error: NodeJS.ErrnoException & PausedAt, socket: Socket) => {
    if (error.code === 'HPE_PAUSED') return turns.holdRest(socket, error);
    faults.push(error.code);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opened: Client[] = [];
  for (let count = 0; count < clients; count++) {
    const client = connect(port, '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [Socket];
    opened.push(new Client(client, socket));
  }
  t.after(() => {
    for (const { client } of opened) client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { turns, clients: opened, first: opened[0] as Client, refused, faults };
}

class Client {
  readonly client: Socket;
  /** The server's end. */
  readonly socket: Socket;
  answers = '';

  constructor(client: Socket, socket: Socket) {
    this.client = client.on('error', () => {});
    this.socket = socket;
    client.setEncoding('latin1').on('data', (text: string) => {
      this.answers += text;
    });
  }

  async until(text: string): Promise<void> {
    while (!this.answers.slice(-2 * mebibyte).includes(text)) await once(this.client, 'data');
  }

  /** Resolves once the server has read this many bytes more, and the iteration has ended. */
  async sendRead(text: string): Promise<void> {
    const until = this.socket.bytesRead + text.length;
    this.client.write(text);
    while (this.socket.bytesRead < until) await nextIteration();
    await nextIteration();
  }
}

for (const chunkBytes of [1, 7, 1_000, 16 * 1024])
  test(`a body in chunks of ${chunkBytes} bytes arrives whole, and so do those behind it`, async (t) => {
    const { first, faults } = await open(t);
    const { body, chunks } = chunked(200_000, chunkBytes);
    first.client.write(head + chunks + lastChunk);
    await first.until(body);
    const short = chunked(100, 1);
    first.client.write(`${head}${short.chunks}${lastChunk}`.repeat(3));
    first.client.write('GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(first.client, 'close');
    assert.equal(first.answers.split('HTTP/1.1 200 OK').length - 1, 5);
    assert.equal(first.answers.split(`\r\n\r\n${short.body}`).length - 1, 4, 'the long body begins like it');
    assert.deepEqual(faults, []);
  });

for (const when of ['with the headers', 'behind them'])
  test(`few chunks are parsed in one iteration, however many arrive at once ${when}`, async (t) => {
    let chunks = 0;
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      request.on('data', () => {
        chunks += 1;
      });
      echo(request, response);
    };
    const { clients } = await open(t, { handle, clients: 20 });
    if (when === 'behind them') for (const each of clients) await each.sendRead(head);
    const sent = when === 'behind them' ? oneByteChunks.chunks : head + oneByteChunks.chunks;
    for (const { client } of clients) client.write(sent + lastChunk);
    let most = 0;
    const answered = Promise.all(clients.map((each) => each.until(oneByteChunks.body)));
    for (let before = chunks; chunks < 20 * oneByteChunks.body.length; before = chunks) {
      await nextIteration();
      most = Math.max(most, chunks - before);
    }
    await answered;
    assert.ok(most < 4_000, `${most} chunks in one iteration`);
  });

test('of a body that waits for its turn, little more is read', async (t) => {
  let chunks = 0;
  const { first } = await open(t, {
    handle(request, response) {
      request.on('data', () => {
        chunks += 1;
      });
      echo(request, response);
    },
  });
  const { body, chunks: sent } = chunked(200_000, 1);
  first.client.write(head + sent + lastChunk);
  let most = 0;
  while (chunks < body.length) {
    await nextIteration();
    most = Math.max(most, first.socket.bytesRead - (sent.length / body.length) * chunks);
  }
  assert.ok(most < 300_000, `${most} bytes wait`);
});

test('large chunks overtake small ones that wait', async (t) => {
  const { clients } = await open(t, { clients: 30 });
  const [honest, ...attackers] = clients as [Client, ...Client[]];
  for (const { client } of attackers) client.write(head + oneByteChunks.chunks + lastChunk);
  const large = chunked(300_000, 16 * 1024);
  honest.client.write(head + large.chunks + lastChunk);
  await honest.until(large.body);
  const answered = attackers.filter(({ answers }) => answers !== '');
  assert.ok(answered.length < attackers.length / 2, `${answered.length} were answered before`);
});

test('while nobody reads a body, little of it is parsed', async (t) => {
  const received = Promise.withResolvers<IncomingMessage>();
  const { first } = await open(t, {
    handle(request, response) {
      received.resolve(request);
      request.once('resume', () => echo(request, response));
    },
  });
  await first.sendRead(head + oneByteChunks.chunks);
  const request = await received.promise;
  for (let iterations = 0; iterations < 20; iterations++) await nextIteration();
  assert.ok(request.readableLength < 2_000, `${request.readableLength} chunks wait`);
  assert.equal(request.waitsForTurn, true);
  request.resume();
  first.client.write(lastChunk);
  await first.until('HTTP/1.1 200');
  assert.equal(request.waitsForTurn, false);
});

test('a body that is paused waits, also if its connection goes on, and then arrives whole', async (t) => {
  const received = Promise.withResolvers<IncomingMessage>();
  const { first } = await open(t, {
    handle(request, response) {
      echo(request, response);
      request.pause();
      received.resolve(request);
    },
  });
  const { body, chunks } = chunked(60_000, 1);
  first.client.write(head + chunks + lastChunk);
  const request = await received.promise;
  for (let iterations = 0; iterations < 20; iterations++) {
    first.socket.resume();
    await nextIteration();
  }
  assert.ok(request.readableLength < 2_000, `${request.readableLength} chunks wait`);
  request.resume();
  await first.until(body);
});

test('what waits is bounded: more is refused, and what follows is ignored', async (t) => {
  const { clients, refused, faults } = await open(t, { clients: 20, heldBytesMax: 200_000 });
  for (const { client } of clients) client.write(head + oneByteChunks.chunks);
  while (refused.length === 0) await nextIteration();
  for (const { client } of clients) client.write(lastChunk);
  while (clients.filter(({ answers }) => answers.includes(oneByteChunks.body)).length + refused.length < 20)
    await nextIteration();
  assert.ok(refused.length < 20, `${refused.length} are refused`);
  assert.ok(refused.every((request) => request?.complete === false));
  assert.deepEqual(faults, []);
});

test('memory of connections that close while they wait may be used by others', async (t) => {
  const { clients, refused } = await open(t, { clients: 8, heldBytesMax: 300_000 });
  const [last, ...closed] = clients as [Client, ...Client[]];
  for (const each of closed) {
    await each.sendRead(head + oneByteChunks.chunks);
    each.client.destroy();
    while (!each.socket.destroyed) {
      each.socket.resume();
      await nextIteration();
    }
  }
  last.client.write(head + oneByteChunks.chunks + lastChunk);
  await last.until(oneByteChunks.body);
  assert.deepEqual(refused, []);
});

test('nothing more of a connection is parsed once it is dropped', async (t) => {
  let bytes = 0;
  const { first, turns, faults } = await open(t, {
    handle: (request) =>
      request.on('data', (part: Buffer) => {
        bytes += part.length;
      }),
  });
  await first.sendRead(head + chunked(10, 1).chunks);
  turns.drop(first.socket);
  await first.sendRead(oneByteChunks.chunks);
  await first.sendRead('no chunk\r\n');
  assert.deepEqual([bytes, faults], [10, []]);
});

test('a body behind answers that the client does not read waits for it to read them', async (t) => {
  const answer = 'a'.repeat(4 * mebibyte);
  const { first, faults } = await open(t, {
    handle(request, response) {
      if (request.method === 'GET') response.end(answer);
      else echo(request, response);
    },
  });
  first.client.pause();
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  first.client.write(get.repeat(3) + head + oneByteChunks.chunks + lastChunk);
  for (let iterations = 0; iterations < 50; iterations++) await nextIteration();
  first.client.resume();
  await first.until(oneByteChunks.body);
  assert.equal(first.answers.split(answer).length - 1, 3);
  assert.deepEqual(faults, []);
});

test('a fault in the body is reported, and those of others go on', async (t) => {
  const { clients, faults } = await open(t, { clients: 2 });
  const [broken, whole] = clients as [Client, Client];
  broken.client.write(`${head}${oneByteChunks.chunks}not a chunk\r\n`);
  whole.client.write(head + oneByteChunks.chunks + lastChunk);
  await whole.until(oneByteChunks.body);
  while (faults.length === 0) await nextIteration();
  assert.deepEqual(faults, ['HPE_INVALID_CHUNK_SIZE']);
});

test('the connection ends behind a body that is not wanted, and nothing in it becomes a request', async (t) => {
  const targets: (string | undefined)[] = [];
  const { first, faults } = await open(t, {
    handle(request, response) {
      targets.push(request.url);
      request.isLastOfConnection = true;
      response.writeHead(503, { Connection: 'close' }).end('refused');
    },
  });
  first.client.write(`${head}${oneByteChunks.chunks}${lastChunk}GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(first.client, 'close');
  assert.match(first.answers, /^HTTP\/1\.1 503 /);
  assert.deepEqual([targets, faults], [['/'], []]);
});
