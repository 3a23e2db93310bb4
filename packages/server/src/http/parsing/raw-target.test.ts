import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { applications, startTestServer } from '../../../test/test-server.ts';

const { appId, appSecret } = applications.main;
const server = await startTestServer();
after(() => server.close());

interface Given {
  readonly method?: string;
  readonly target: string;
  /** The target signed by a client that decodes nothing, because it escaped nothing. */
  readonly signed?: string;
  readonly body?: string;
  readonly headers?: readonly string[];
}

/** Where Node.js keeps the connections whose requests may be late. */
const connectionsKey = 'http.server.connections';

let nonces = 0;

/** Writes a request as Go's net/http does when a caller sets `URL.RawQuery` to unescaped text. */
function goRequest({ method = 'GET', target, signed = target, body, headers = [] }: Given): Buffer {
  nonces += 1;
  const nonce = `nonce-${nonces}`;
  const md5 = body === undefined ? [] : [createHash('md5').update(body).digest('base64')];
  const text = [method, ...md5, server.nowSeconds, nonce, signed].join('\n');
  const signature = createHmac('sha256', appSecret).update(text).digest('base64');
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${server.port}`,
    'User-Agent: Go-http-client/1.1',
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    `Authorization: cbs:${appId}:${signature}`,
    'Content-Type: application/json',
    `Nonce: ${nonce}`,
    `Timestamp: ${server.nowSeconds}`,
    ...headers,
    'Accept-Encoding: gzip',
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

interface WireAnswer {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data: Record<string, unknown> | undefined;
}

/** A connection that counts and reads answers. */
class Wire {
  readonly #socket: Socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
  #received = Buffer.alloc(0);
  #ended = false;
  #wake = () => {};

  constructor() {
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.#socket.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
    this.#socket.on('error', () => {});
  }

  /** Sends bytes as one packet, as far as the system permits. */
  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Sends bytes, and waits until the server's parser has read them. */
  async sendAlone(bytes: string | Uint8Array): Promise<void> {
    const before = readBytes();
    this.#socket.write(bytes);
    while (readBytes() < before + Buffer.byteLength(bytes)) await new Promise(setImmediate);
  }

  async next(): Promise<WireAnswer> {
    for (;;) {
      const answer = this.#take();
      if (answer !== undefined) return answer;
      if (this.#ended) throw new Error(`the server closed the connection: ${this.#received}`);
      await this.#more();
    }
  }

  /** Returns every answer until the server closes the connection. */
  async rest(): Promise<WireAnswer[]> {
    while (!this.#ended) await this.#more();
    const answers: WireAnswer[] = [];
    for (let answer = this.#take(); answer !== undefined; answer = this.#take()) answers.push(answer);
    assert.equal(this.#received.length, 0, String(this.#received));
    return answers;
  }

  close(): void {
    this.#socket.destroy();
  }

  #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  #take(): WireAnswer | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return undefined;
    const envelope = JSON.parse(this.#received.toString('utf8', headEnd + 4, end));
    this.#received = this.#received.subarray(end);
    return { status: Number(head.slice(9, 12)), ...envelope };
  }
}

/** Bytes that the server has read from the connections that are open. */
function readBytes(): number {
  let sum = 0;
  for (const socket of connections) sum += socket.bytesRead;
  return sum;
}

const connections = new Set<Socket>();

before(() => {
  server.app.listener.server.on('connection', (socket: Socket) => {
    connections.add(socket);
  });
});

async function exchange(...packets: readonly (string | Buffer)[]): Promise<WireAnswer[]> {
  const wire = new Wire();
  for (const packet of packets) await wire.sendAlone(packet);
  const answers = await wire.rest();
  wire.close();
  return answers;
}

const codes = (answers: readonly WireAnswer[]) => answers.map(({ status, code }) => [status, code]);

/** Users whose names tell which request was executed. */
before(async () => {
  for (const username of ['张三', 'ann', 'smuggled', '李 娜+é']) await server.createUser(username);
});

describe('a request with unencoded UTF-8 in its target', () => {
  test('is executed and verified as the escaped one is', async () => {
    const wire = new Wire();
    wire.send(goRequest({ target: '/user?username=张三' }));
    const answer = await wire.next();
    assert.deepEqual([answer.status, answer.code, answer.data?.username], [200, 0, '张三']);
    wire.close();
  });

  test('keeps its connection, for any number of such and ordinary requests', async (t) => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    t.after(() => process.off('warning', note));
    const wire = new Wire();
    for (let round = 0; round < 30; round += 1) {
      for (const username of ['张三', 'ann']) {
        wire.send(goRequest({ target: `/user?username=${username}` }));
        const { code, data } = await wire.next();
        assert.deepEqual([code, data?.username], [0, username]);
      }
    }
    wire.close();
    assert.deepEqual(warnings, [], 'each request left a listener on the connection');
  });

  test('may mix escaped and unescaped text, in names too', async () => {
    const wire = new Wire();
    wire.send(
      goRequest({
        target: '/user?имя=x&username=%E6%9D%8E%20娜%2Bé',
        signed: '/user?username=李 娜+é&имя=x',
      }),
    );
    const { code, data, message } = await wire.next();
    assert.deepEqual([code, data?.username], [0, '李 娜+é'], message);
    wire.close();
  });

  test('is refused like the escaped one if no operation has the path', async () => {
    const wire = new Wire();
    const answers: WireAnswer[] = [];
    for (const target of ['/user/é', '/user/%C3%A9']) {
      wire.send(goRequest({ target }));
      answers.push(await wire.next());
    }
    wire.close();
    assert.deepEqual(codes(answers), [
      [404, 1005],
      [404, 1005],
    ]);
    assert.equal(answers[0]?.message, answers[1]?.message);
  });

  test('may carry a body that arrives in several packets', async () => {
    const body = JSON.stringify({ username: 'ann', real_name: '安'.repeat(30) });
    const wire = new Wire();
    const bytes = goRequest({ method: 'PUT', target: '/user?来源=é', body });
    for (const [from, to] of [
      [0, -80],
      [-80, -40],
      [-40, undefined],
    ]) {
      await wire.sendAlone(bytes.subarray(from, to));
    }
    assert.equal((await wire.next()).code, 0);
    wire.send(goRequest({ target: '/user?username=ann' }));
    assert.equal((await wire.next()).data?.real_name, '安'.repeat(30));
    wire.close();
  });

  test('may be followed by others in its packet, and keeps the order of answers', async () => {
    const wire = new Wire();
    const first = goRequest({ target: '/user?username=张三' });
    const others = ['ann', 'smuggled'].map((username) => goRequest({ target: `/user?username=${username}` }));
    wire.send(Buffer.concat([first, ...others]));
    for (const username of ['张三', 'ann', 'smuggled']) {
      assert.equal((await wire.next()).data?.username, username);
    }
    wire.close();
  });

  test('is answered after the earlier requests that are still running', async () => {
    const wire = new Wire();
    await server.whileLocked(async () => {
      const body = '{"username":"ann","nickname":"slow"}';
      await wire.sendAlone(goRequest({ method: 'PUT', target: '/user', body }));
      await wire.sendAlone(goRequest({ target: '/user?username=张三' }));
    });
    assert.equal((await wire.next()).data, undefined);
    assert.equal((await wire.next()).data?.username, '张三');
    wire.close();
  });

  test('is refused with 1014 when its signature is wrong, like any other', async () => {
    const wire = new Wire();
    wire.send(goRequest({ target: '/user?username=张三', signed: '/user?username=ann' }));
    const { code, message } = await wire.next();
    assert.equal(code, 1014);
    assert.ok(message.includes('/user?username=张三'), message);
    wire.close();
  });

  test('does not exempt its connection from the time limit on requests', async () => {
    const wires = Array.from({ length: 5 }, () => new Wire());
    for (const wire of [...wires, ...wires]) {
      wire.send(goRequest({ target: '/user?username=张三' }));
      await wire.next();
    }
    for (const wire of wires) await wire.sendAlone('GET /user?é HTTP/1.1\r\nHost: x\r\n');
    const http = server.app.listener.server;
    const key = Object.getOwnPropertySymbols(http).find(({ description }) => description === connectionsKey);
    const list = Reflect.get(http, key ?? '') as { all(): unknown[]; active(): unknown[] };
    const parsers = [...connections].slice(-wires.length).map((socket) => Reflect.get(socket, 'parser'));
    for (const parser of parsers) {
      assert.equal(list.all().filter((each) => each === parser).length, 1);
      assert.equal(list.active().filter((each) => each === parser).length, 1);
    }
    for (const wire of wires) wire.close();
  });
});

describe('a target that cannot be escaped', () => {
  const refusal = [200, 1001];

  test('that is not UTF-8 is 1001 under the status 200', async () => {
    for (const bytes of ['\xff', '\xc3', 'a\xe5\xbc', '\xed\xa0\x80', '\xc0\xaf']) {
      const head = Buffer.from(`GET /user?username=${bytes} HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1');
      const answers = await exchange(head);
      assert.deepEqual(codes(answers), [refusal]);
      assert.match(answers[0]?.message ?? '', /bytes that are not UTF-8; percent-encode/);
    }
  });

  test('that does not begin with a slash is 1001 under the status 200', async () => {
    for (const target of ['user', 'user?username=张三', '?a=1']) {
      const answers = await exchange(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`));
      assert.deepEqual(codes(answers), [refusal], target);
      assert.equal(answers[0]?.message, 'the path must begin with a slash, as in GET /user');
    }
  });

  test('that arrives in pieces is 1001 under the status 200', async () => {
    const bytes = goRequest({ target: '/user?username=张三' });
    for (const at of [3, 5, 19, 20, 26]) {
      const answers = await exchange(bytes.subarray(0, at), bytes.subarray(at));
      assert.deepEqual(codes(answers), [refusal], `split after ${at} bytes`);
      assert.match(answers[0]?.message ?? '', /must be percent-encoded, as UTF-8.*in one piece/);
    }
  });

  test('that follows another request in one packet is refused after the answer to that one', async () => {
    const raw = goRequest({ target: '/user?username=张三' });
    for (const first of ['/user?username=ann', '/user?username=张三']) {
      const answers = await exchange(Buffer.concat([goRequest({ target: first }), raw]));
      assert.deepEqual(codes(answers), [[200, 0], refusal]);
    }
  });

  test('is refused after the answers to earlier writes, however long they take', async () => {
    const wire = new Wire();
    await server.whileLocked(async () => {
      const body = '{"username":"ann","nickname":"first"}';
      const write = goRequest({ method: 'PUT', target: '/user', body });
      await wire.sendAlone(Buffer.concat([write, goRequest({ target: '/user?username=张三' })]));
      // Without the refusal, this would be answered as a request, in place of the refused one.
      await wire.sendAlone(goRequest({ target: '/user?username=李 娜+é'.replace(' ', '%20') }));
    });
    assert.deepEqual(codes(await wire.rest()), [[200, 0], refusal]);
    wire.close();
  });

  test('is 1001 under the status 400 when statuses are standard', async () => {
    const standard = await startTestServer({ settings: { httpStatus: 'standard' } });
    const socket = connect(standard.port, '127.0.0.1');
    socket.write(Buffer.from('GET /user?\xff HTTP/1.1\r\n\r\n', 'latin1'));
    const [chunk] = await once(socket, 'data');
    assert.match(String(chunk), /^HTTP\/1\.1 400 .*"code":1001/s);
    socket.destroy();
    await standard.close();
  });
});

describe('escaping smuggles no request', () => {
  const smuggled = goRequest({ target: '/user?username=smuggled' }).toString();
  const names = (answers: readonly WireAnswer[]) => answers.map(({ data }) => data?.username);

  test('a line break in the target does not end the request line', async () => {
    for (const lineBreak of ['\r\n', '\n', '\r', '\u0085', '\u2028']) {
      const answers = await exchange(
        `GET /user?é${lineBreak}${smuggled}`,
        'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
      );
      assert.ok(!names(answers).includes('smuggled'), JSON.stringify(lineBreak));
    }
  });

  test('escaped line breaks stay escaped', async () => {
    const wire = new Wire();
    wire.send(
      goRequest({
        target: '/user?username=é%0D%0A%0D%0AGET%20/user',
        signed: '/user?username=é\r\n\r\nGET /user',
      }),
    );
    const { code, message } = await wire.next();
    assert.equal(code, 1001);
    assert.match(message, /username.*control character/);
    wire.close();
  });

  test('the rest of a body that looks like a request line starts no request', async () => {
    for (const rest of [
      'GET /user?é',
      'GET /user?x=',
      'GET /',
      'P',
      'G',
      'DELETE ',
      smuggled.replace('?', '?é=1&'),
    ]) {
      const body = `{"username":"ann"}${' '.repeat(8)}${rest}`;
      const bytes = goRequest({ method: 'PUT', target: '/user', body });
      const split = bytes.length - Buffer.byteLength(rest);
      const raw = goRequest({ target: '/user?username=张三' });
      const answers = await exchange(bytes.subarray(0, split), Buffer.concat([bytes.subarray(split), raw]));
      // The body is not JSON, and the request after it does not start its packet.
      assert.deepEqual(codes(answers), [[200, 1002], refused], rest);
    }
  });

  test('the end of a chunked body starts no request', async () => {
    const head = 'PUT /user HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunk = `GET /user?é HTTP/1.1\r\n\r\n`;
    const size = Buffer.byteLength(chunk).toString(16);
    const answers = await exchange(
      `${head}${size}\r\n`,
      `${chunk}\r\n0\r\n\r\n${smuggled.replace('?', '?é=&')}`,
    );
    assert.ok(!names(answers).includes('smuggled'));
    assert.deepEqual(codes(answers).at(-1), refused);
  });

  test('two lengths, or a length beside chunks, are refused behind an escaped target too', async () => {
    const lengths = [
      'Content-Length: 0\r\nContent-Length: 5',
      'Content-Length: 5\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding : chunked',
    ];
    for (const length of lengths) {
      const answers = await exchange(
        `POST /user?é HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n0\r\n\r\n${smuggled}`,
      );
      assert.deepEqual(codes(answers), [[400, 1001]], length);
    }
  });

  test('bytes above 0x7F outside the target change nothing', async () => {
    const lines = [
      'GÉT /user HTTP/1.1',
      'GET /user?é HTTP/1.1é',
      'GET /user?é é HTTP/1.1',
      'é GET /user HTTP/1.1',
    ];
    for (const line of lines) {
      const answers = await exchange(`${line}\r\nHost: x\r\n\r\n${smuggled}`);
      assert.deepEqual(
        answers.map(({ code }) => code),
        [1001],
        line,
      );
    }
    const wire = new Wire();
    wire.send(goRequest({ target: '/user?username=张三', headers: ['X-Note: é\xff'] }));
    assert.equal((await wire.next()).code, 0);
    wire.close();
  });

  test('a target that grows beyond the limit of the headers is refused', async () => {
    const answers = await exchange(`GET /user?username=${'é'.repeat(4_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.deepEqual(codes(answers), [[431, 1001]]);
  });

  const refused = [200, 1001];
});
