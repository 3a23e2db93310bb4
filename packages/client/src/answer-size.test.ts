import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FieldrosterClient, OutcomeUnknownError, TransportError } from './index.ts';

const answerBytesMax = 100_000;

/** Returns a client of a server that answers every request so, and how many came. */
async function clientOf(answer: (response: ServerResponse) => void) {
  const seen = { requests: 0 };
  const server = createServer((request, response) => {
    seen.requests += 1;
    request.resume();
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new FieldrosterClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    appId: 'app',
    appSecret: 'a secret that both sides know',
    answerBytesMax,
    retry: { attemptsMax: 3, delayMs: 1 },
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { client, seen, [Symbol.dispose]: close };
}

function envelopeOf(bytes: number): string {
  const text = '{"code":0,"message":"","data":{"username":"é"}}';
  return text + ' '.repeat(bytes - Buffer.byteLength(text));
}

const tooLarge = {
  name: 'TransportError',
  reach: 'oversized',
  mayHaveBeenApplied: false,
  message: /^the answer is larger than 100,000 bytes; /,
};

test('an answer of the largest size is read', async () => {
  using server = await clientOf((response) => response.end(envelopeOf(answerBytesMax)));
  assert.equal((await server.client.queryUser({ user_id: 1 })).username, 'é');
});

test('a larger answer ends a read at once', async () => {
  using server = await clientOf((response) => response.end(envelopeOf(answerBytesMax + 1)));
  await assert.rejects(server.client.queryUser({ user_id: 1 }), tooLarge);
  assert.equal(server.seen.requests, 1);
});

test('the size of a compressed answer is that of its content', async () => {
  const compressed = gzipSync(envelopeOf(answerBytesMax + 1));
  using server = await clientOf((response) => response.setHeader('Content-Encoding', 'gzip').end(compressed));
  await assert.rejects(server.client.queryUser({ user_id: 1 }), tooLarge);
});

test('an answer without end is left', async () => {
  let left: Promise<unknown> = Promise.resolve();
  using server = await clientOf((response) => {
    left = once(response, 'close');
    response.write(envelopeOf(answerBytesMax + 1));
  });
  await assert.rejects(server.client.queryUser({ user_id: 1 }, { timeoutMs: 10_000 }), tooLarge);
  await left;
});

test('after a larger answer to a write, nobody knows whether it was applied, and it is not sent again', async () => {
  using server = await clientOf((response) => response.end(envelopeOf(answerBytesMax + 1)));
  await assert.rejects(server.client.bindUserRole({ user_id: 1, role_id: 7 }), (error) => {
    assert(error instanceof OutcomeUnknownError && error.cause instanceof TransportError);
    assert.equal(error.cause.reach, 'oversized');
    return true;
  });
  assert.equal(server.seen.requests, 1);
});

/** Returns a client whose injected `fetch` answers with these parts of a response. */
function clientWith(partsOf: () => object): FieldrosterClient {
  return new FieldrosterClient({
    url: 'http://127.0.0.1:1',
    appId: 'app',
    appSecret: 'a secret that both sides know',
    answerBytesMax,
    retry: { attemptsMax: 1 },
    fetch: async () => ({ status: 200, headers: new Headers(), ...partsOf() }) as Response,
  });
}

/** What replacements of `fetch` give in place of a stream of the web. */
const otherBodies = {
  'a stream of Node.js': (text: string) => ({ body: Readable.from([Buffer.from(text)]) }),
  'only its text': (text: string) => ({ text: async () => text }),
  'a body that cannot be read in pieces': (text: string) => ({ body: {}, text: async () => text }),
};

for (const [what, partsOf] of Object.entries(otherBodies)) {
  test(`an injected fetch may give ${what}, under the same limit`, async () => {
    let bytes = answerBytesMax;
    const client = clientWith(() => partsOf(envelopeOf(bytes)));
    assert.equal((await client.queryUser({ user_id: 1 })).username, 'é');
    await client.bindUserRole({ user_id: 1, role_id: 7 });
    bytes += 1;
    await assert.rejects(client.queryUser({ user_id: 1 }), tooLarge);
  });
}

test('a Node.js stream that exceeds the limit is destroyed', async () => {
  const body = Readable.from([Buffer.alloc(answerBytesMax + 1), Buffer.alloc(1)]);
  const client = clientWith(() => ({ body }));
  await assert.rejects(client.queryUser({ user_id: 1 }), tooLarge);
  assert(body.destroyed);
});
