import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { type Answer, startTestServer } from '../../../test/test-server.ts';
import { ArrivalWatch, windowMs } from './arrival-watch.ts';
import { BodyBudget } from './body-budget.ts';
import { RequestBody } from './request-body.ts';

const server = await startTestServer({ settings: { bodyBytesMax: 10_000, batchBodyBytesMax: 50_000 } });
after(() => server.close());

/** Returns a JSON object of exactly this many bytes, with valid fields. */
function bodyOf(username: string, bytes: number): string {
  const start = `{"username":"${username}","password":"p","padding":"`;
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
}

function assertTooLarge(answer: Answer, limit: number, setting = '--body-limit'): void {
  assert.deepEqual(answer.envelope, {
    code: 1004,
    message: `the body is larger than the limit of ${limit} bytes; send less, or ask the operator to raise ${setting}`,
  });
  assert.equal(answer.status, 413);
}

for (const chunked of [false, true]) {
  const way = chunked ? 'in chunks' : 'with a Content-Length';

  test(`a body of exactly the limit, sent ${way}, is read; one byte more is 1004`, async () => {
    const at = await server.call('POST', '/user', bodyOf(`at.${chunked}`, 10_000), { chunked });
    assert.equal(at.envelope.code, 0, at.text);
    assertTooLarge(await server.call('POST', '/user', bodyOf('over', 10_001), { chunked }), 10_000);
  });

  test(`the batch operation has its own limit, ${way}`, async () => {
    const target = '/user/stores';
    const at = await server.call('POST', target, bodyOf(`batch.${chunked}`, 50_000), { chunked });
    assert.equal(at.envelope.code, 0, at.text);
    assertTooLarge(
      await server.call('POST', target, bodyOf('over', 50_001), { chunked }),
      50_000,
      '--batch-body-limit',
    );
  });

  test(`the sender of 5 MiB ${way} can read the envelope, and the connection stays open`, async () => {
    assertTooLarge(await server.call('POST', '/user', 'x'.repeat(5_000_000), { chunked }), 10_000);
    const next = await server.call('GET', '/user?username=nobody');
    assert.equal(next.envelope.code, 1101);
  });
}

test('a body over the limit is refused on every method, before its signature is checked', async () => {
  const headers = { Authorization: undefined };
  for (const [method, target] of [
    ['GET', '/user'],
    ['PUT', '/user'],
    ['DELETE', '/user/role'],
  ] as const) {
    assertTooLarge(await server.call(method, target, 'x'.repeat(10_001), { headers }), 10_000);
  }
});

test('a body that ends before its announced length changes nothing and does not disturb the server', async () => {
  const before = await server.snapshot();
  const body = '{"username":"cut","password":"p"}';
  const { Authorization, Timestamp, Nonce } = server.sign('POST', '/user', body).headers;
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `POST /user HTTP/1.1\r\nHost: x\r\nAuthorization: ${Authorization}\r\nTimestamp: ${Timestamp}\r\n` +
      `Nonce: ${Nonce}\r\nContent-Length: ${body.length + 5}\r\n\r\n${body}`,
  );
  await once(socket, 'ready');
  socket.destroy();
  await once(socket, 'close');
  assert.equal((await server.call('GET', '/user?username=cut')).envelope.code, 1101);
  assert.deepEqual(await server.snapshot(), before);
});

test('a client that waits for 100 Continue gets it', async () => {
  const body = { username: 'continue', password: 'p' };
  await server.succeed('POST', '/user', body, { headers: { Expect: '100-continue' } });
});

const mebibyte = 1024 * 1024;
const bytesMax = 100;

/** Makes a body that arrives as the test pushes it, with a watch whose clock the test moves. */
function arriving({
  length,
  limit = bytesMax,
  hasSetting = true,
  address,
  expects = false,
  budget = new BodyBudget({ smallBytes: mebibyte, largeBytes: mebibyte }),
}: {
  length?: number;
  limit?: number;
  hasSetting?: boolean;
  address?: string;
  expects?: boolean;
  budget?: BodyBudget;
} = {}) {
  const payload = new IncomingMessage(new Socket());
  payload.headers = length === undefined ? {} : { 'content-length': String(length) };
  if (expects) payload.unansweredExpect = new ServerResponse(payload);
  let nowMs = 0;
  const watch = new ArrivalWatch(() => nowMs);
  const body = new RequestBody(payload, {
    limit: { bytesMax: limit, ...(hasSetting && { setting: '--body-limit' }) },
    parts: { budget, watch },
    address,
  });
  return {
    body,
    payload,
    budget,
    end() {
      payload.complete = true;
      payload.push(null);
    },
    passWindow() {
      nowMs += windowMs;
      watch.check();
    },
  };
}

test('the pieces of a body are put together, and its memory is held until its release', async () => {
  const { body, payload, budget, end } = arriving();
  const received = body.receive();
  for (const piece of ['ab', 'c']) payload.push(piece);
  end();
  assert.equal((await received).bytes.toString(), 'abc');
  assert.ok(budget.takenBytes > 0);
  body.release();
  assert.equal(budget.takenBytes, 0);
});

test('a body is complete with the end of its stream, before the stream closes', async () => {
  const { body, payload } = arriving();
  const received = body.receive();
  payload.emit('end');
  assert.equal((await received).bytes.length, 0);
});

test('the expected length is the announced one, and without it what has arrived so far', async () => {
  for (const [length, expected] of [
    [50, 50],
    [undefined, 3],
  ] as const) {
    const { body, payload, end } = arriving({ ...(length !== undefined && { length }) });
    const received = body.receive();
    payload.push('abc');
    await nextIteration();
    assert.equal(body.expectedBytes, expected);
    end();
    await received;
  }
});

test('a body that is announced as too large is refused without memory for what arrives of it', async () => {
  const { body, payload, budget, end } = arriving({ length: bytesMax + 1 });
  const received = body.receive();
  payload.push('x'.repeat(50));
  await nextIteration();
  assert.equal(budget.takenBytes, 0);
  end();
  await assert.rejects(received, { code: 1004 });
});

test('a body over a limit that no setting raises is refused without the name of one', async () => {
  const { body, end } = arriving({ length: bytesMax + 1, hasSetting: false });
  const received = body.receive();
  end();
  const message = 'the body is larger than the limit of 100 bytes; send less';
  await assert.rejects(received, { code: 1004, message });
});

test('a body of 64 KiB needs none of the memory for large ones; a larger one waits for it', async () => {
  for (const [length, waits] of [
    [64 * 1024, false],
    [64 * 1024 + 1, true],
  ] as const) {
    const budget = new BodyBudget({ smallBytes: mebibyte, largeBytes: mebibyte });
    const others = budget.tryTakeLarge(mebibyte, { name: '', partMax: 1 });
    const { body, payload, end } = arriving({ length, limit: mebibyte, budget });
    assert.equal(body.waits, false);
    const received = body.receive();
    assert.equal(body.waits, waits);
    others?.release();
    assert.equal(body.waits, false);
    payload.push('x'.repeat(length));
    end();
    assert.equal((await received).bytes.length, length);
  }
});

test('a body without room for it is refused with 1503, however it ends, but 1004 takes precedence', async () => {
  const budget = new BodyBudget({ smallBytes: 0, largeBytes: 0 });
  for (const [more, breaksOff, code] of [
    ['', false, 1503],
    ['', true, 1503],
    ['x'.repeat(bytesMax), false, 1004],
  ] as const) {
    const { body, payload, end } = arriving({ budget });
    const received = body.receive();
    payload.push('x');
    payload.push(more);
    await nextIteration();
    if (breaksOff) payload.destroy();
    else end();
    await assert.rejects(received, { code });
    if (code === 1503) await body.drain();
    else await assert.rejects(body.drain(), { code });
  }
});

test('clients of one network share what one client may take; a client of unknown address shares what its connection may', async () => {
  const budget = new BodyBudget({ smallBytes: 8_000, largeBytes: 0 });
  const receive = async (address?: string) => {
    const { body, payload, end } = arriving({ budget, ...(address !== undefined && { address }) });
    const received = body.receive();
    for (const piece of ['ab', 'c']) payload.push(piece);
    end();
    return String((await received).bytes);
  };
  // Each takes the limit and the overhead, 1,124 bytes.
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3'])
    assert.equal(await receive(address), 'abc');
  await assert.rejects(receive('2001:db8::4'), { code: 1503 });
  for (let count = 0; count < 4; count += 1) assert.equal(await receive(), 'abc');
  await assert.rejects(receive(), { code: 1503 });
});

test('a body that waits for its turn is not cut; once its turn has come, it must arrive fast enough again', async () => {
  const { body, payload, passWindow } = arriving({ length: 50 });
  const received = body.receive();
  payload.waitsForTurn = true;
  assert.equal(body.waits, true);
  for (let windows = 0; windows < 3; windows += 1) passWindow();
  assert.equal(body.wasCut, false);
  payload.waitsForTurn = false;
  assert.equal(body.waits, false);
  passWindow();
  assert.equal(body.wasCut, true);
  await assert.rejects(received, { code: 1001 });
});

test('a body that arrives too slowly is cut, and the refusal says how fast it should arrive', async () => {
  const { body, payload, passWindow } = arriving({ length: 50 });
  const received = body.receive();
  payload.push('abc');
  assert.equal(body.wasCut, false);
  passWindow();
  const message = 'the body arrives too slowly: send at least 1024 bytes a second';
  await assert.rejects(received, { code: 1001, message });
  assert.equal(body.wasCut, true);
  await body.drain();
  payload.push('def');
  await nextIteration();
  assert.equal(body.receivedBytes, 6, 'no piece is counted twice');
});

test('a body that was received is not watched or read again when the rest of it is discarded', async () => {
  const { body, end, passWindow } = arriving();
  const received = body.receive();
  end();
  await received;
  await body.drain();
  passWindow();
  assert.equal(body.wasCut, false);
});

test('a body that breaks off is refused with the cause, if there is one', async () => {
  for (const cause of [undefined, new Error('reset')]) {
    const { body, payload } = arriving({ length: 50 });
    const received = body.receive();
    payload.push('abc');
    payload.destroy(cause);
    const message = 'the body ended before its announced length';
    await assert.rejects(received, (error: Error) => {
      assert.deepEqual([error.message, error.cause], [message, cause]);
      return true;
    });
  }
});

test('a body whose client has left before it is asked for is refused at once, however it was to end', async () => {
  const message = 'the body ended before its announced length';
  for (const complete of [false, true]) {
    const { body, payload } = arriving({ length: 3 });
    payload.push('abc');
    payload.complete = complete;
    payload.destroy();
    await once(payload, 'close');
    await assert.rejects(body.receive(), { code: 1001, message });
    assert.equal(body.wasCut, false);
    await body.drain();
  }
});

const tooLong = { length: bytesMax + 1, expects: true };

test('a client that waits for 100 Continue is not asked for a body that is refused or not needed', async () => {
  const refused = arriving(tooLong);
  await assert.rejects(refused.body.receive(), { code: 1004 });
  const long = arriving(tooLong);
  await assert.rejects(long.body.drain(), { code: 1004 });
  const short = arriving({ length: bytesMax, expects: true });
  await short.body.drain();
  for (const { payload } of [refused, long, short]) assert.notEqual(payload.unansweredExpect, undefined);
});

test('a client that waits for 100 Continue is asked for a body that is needed', async () => {
  const { body, payload, end } = arriving({ length: 3, expects: true });
  const received = body.receive();
  assert.equal(payload.unansweredExpect, undefined);
  payload.push('abc');
  end();
  assert.equal(String((await received).bytes), 'abc');
});

for (const when of ['with its headers', 'right behind its headers'])
  test(`a refused body that comes ${when} is read to its end, although its client asked for 100 Continue`, async () => {
    for (const ask of ['receive', 'drain'] as const) {
      const { body, payload, end } = arriving(tooLong);
      let isOver = false;
      if (when === 'with its headers') payload.push('x');
      const asked = body[ask]().finally(() => {
        isOver = true;
      });
      if (when !== 'with its headers') payload.push('x');
      for (let iterations = 0; iterations < 3; iterations += 1) await nextIteration();
      assert.equal(isOver, false);
      payload.push('x'.repeat(bytesMax));
      end();
      await assert.rejects(asked, { code: 1004 });
    }
  });

test('64 MiB beyond the limit are read, then the refusal is sent without the rest', async () => {
  const { body, payload } = arriving();
  let isOver = false;
  const received = body.receive().finally(() => {
    isOver = true;
  });
  payload.push(Buffer.alloc(bytesMax + 64 * mebibyte));
  await nextIteration();
  assert.equal(isOver, false);
  assert.equal(body.wasCut, false);
  payload.push('x');
  await assert.rejects(received, { code: 1004 });
  assert.equal(body.wasCut, true, 'the connection cannot be reused');
});

test('a body of more than 64 MiB beyond the limit gets one answer, and its connection ends', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const answers: string[] = [];
  socket.setEncoding('utf8').on('data', (part: string) => answers.push(part));
  const closed = once(socket, 'close');
  socket.write('POST /user HTTP/1.1\r\nHost: x\r\nContent-Length: 200000000\r\n\r\n');
  // Data left unread when the server closes a connection can cost the client the answer.
  socket.write(Buffer.alloc(10_000 + 64 * mebibyte + 1));
  await closed;
  const text = answers.join('');
  assert.deepEqual([...text.matchAll(/HTTP\/1\.1 \d+/g)].map(String), ['HTTP/1.1 413']);
  assert.match(text, /\r\nconnection: close\r\n/i);
  assert.match(text, /"code":1004/);
});
