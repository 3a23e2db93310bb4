import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { ResponseWithFixedHeaders } from '../answers/fixed-headers.ts';
import { acceptBetweenRequests } from './accept-between-requests.ts';
import { Admission, createAdmission } from './admission.ts';
import { IterationSize } from './iteration-size.ts';
import { refuseAtOnce } from './refuse-at-once.ts';
import { WaitingBodies } from './waiting-bodies.ts';

const anyBodies = new WaitingBodies({ requests: 8_192, chunked: 32, bytes: 128 * 1024 * 1024 });

/** An admission whose event loop handles two requests in each millisecond of work, so that 40 may wait. */
function startAdmission() {
  const clock = { nowMs: 0 };
  let workedMs = 0;
  const iterationSize = new IterationSize(() => workedMs);
  workedMs = 100;
  iterationSize.endIteration(200);
  const reports: number[] = [];
  const admission = new Admission({
    waitMaxMs: 20,
    onRefused: (count) => reports.push(count),
    now: () => clock.nowMs,
    iterationSize,
  });
  return { admission, clock, reports };
}

test('a burst may wait, however long it is, until the queue has not been empty for half a second', () => {
  const { admission, clock } = startAdmission();
  assert.ok(admission.admits(0));
  assert.ok(admission.admits(5_000));
  clock.nowMs = 500;
  admission.endIteration(250, 4_000);
  assert.ok(admission.admits(4_000));
  clock.nowMs = 501;
  admission.endIteration(1, 4_000);
  assert.equal(admission.admits(4_000), false);
});

test('as many may wait then as are handled in the allowed time, and the rest is refused', () => {
  const { admission, clock } = startAdmission();
  admission.admits(0);
  clock.nowMs = 1_000;
  admission.endIteration(1, 4_000);
  assert.equal(admission.takeExcess(4_000), 3_960);
  assert.ok(admission.admits(39));
  assert.equal(admission.admits(40), false);
});

test('bursts may wait again once no request had to be refused for a second', () => {
  const { admission, clock } = startAdmission();
  admission.admits(0);
  clock.nowMs = 1_000;
  admission.endIteration(1, 100);
  clock.nowMs = 1_900;
  assert.equal(admission.admits(100), false);
  clock.nowMs = 2_899;
  admission.endIteration(1, 0);
  assert.equal(admission.admits(100), false, 'no second has passed since the last refusal');
  clock.nowMs = 3_899;
  admission.endIteration(1, 0);
  assert.ok(admission.admits(0));
  assert.ok(admission.admits(100));
});

test('a queue that did not empty is kept short for a second, even if no request had to be refused', () => {
  const { admission, clock } = startAdmission();
  admission.admits(0);
  clock.nowMs = 501;
  admission.endIteration(1, 4);
  clock.nowMs = 1_500;
  admission.endIteration(4, 0);
  assert.equal(admission.admits(100), false);
});

test('refusals are reported at most every ten seconds, with their number', () => {
  const { admission, clock, reports } = startAdmission();
  admission.admits(0);
  clock.nowMs = 1_000;
  admission.endIteration(100, 100);
  for (let count = 0; count < 50; count += 1) admission.admits(100);
  clock.nowMs = 11_000;
  admission.admits(100);
  assert.deepEqual(reports, [1, 51]);
  const [refused, waiting] = admission.metricSources();
  assert.deepEqual([refused?.read(), waiting?.read()], [51, 100]);
});

test('the time of a queue counts from its first request', () => {
  const { admission, clock } = startAdmission();
  clock.nowMs = 10_000;
  admission.admits(0);
  clock.nowMs = 10_500;
  admission.endIteration(1, 4_000);
  assert.ok(admission.admits(4_000));
});

test('excess requests are counted, and no excess is not reported', () => {
  const { admission, clock, reports } = startAdmission();
  admission.admits(0);
  clock.nowMs = 1_000;
  admission.endIteration(1, 100);
  assert.equal(admission.takeExcess(40), 0);
  assert.deepEqual(reports, []);
  assert.equal(admission.takeExcess(100), 60);
  assert.deepEqual(reports, [60]);
});

test('a burst that is too long is cut, without a limit for the next one', () => {
  const { admission } = startAdmission();
  admission.admits(0);
  assert.equal(admission.admits(8_192), false);
  assert.ok(admission.admits(8_191));
});

test('iterations handle fewer requests when verified ones are refused, but only under overload', () => {
  const { admission, clock } = startAdmission();
  admission.admits(0);
  admission.noteBusy();
  admission.endIteration(1, 100);
  assert.equal(admission.requestsPerIteration, 100);
  clock.nowMs = 1_000;
  admission.endIteration(1, 100);
  assert.equal(admission.requestsPerIteration, 104);
  admission.noteBusy();
  admission.endIteration(1, 100);
  assert.equal(admission.requestsPerIteration, 52);
});

test('the log says how many were refused, by the clock of the process', (t) => {
  let nowMs = 5_000;
  t.mock.method(performance, 'now', () => nowMs);
  const lines: unknown[] = [];
  const logger = { warn: (...line: unknown[]) => lines.push(line) };
  const admission = createAdmission({ overloadWaitMs: 50 }, logger);
  admission.admits(0);
  nowMs += 501;
  admission.endIteration(1, 8_000);
  assert.equal(admission.admits(8_000), false);
  assert.deepEqual(lines, [[{ refused: 1 }, '1 requests refused so far: overloaded']]);
});

test('a refused request is answered with 1503 and Retry-After, unseen by the server; health checks are answered', async (t) => {
  const app = Fastify({ http: { ServerResponse: ResponseWithFixedHeaders } });
  const seen: string[] = [];
  app.all('/*', async (request) => {
    seen.push(request.url);
    return 'seen';
  });
  let nowMs = 0;
  const now = () => {
    nowMs += 600;
    return nowMs;
  };
  const iterationSize = new IterationSize(() => 0);
  const admission = new Admission({ waitMaxMs: 0.1, onRefused: () => {}, now, iterationSize });
  const refuse = (request: IncomingMessage, response: ServerResponse) =>
    refuseAtOnce(request, response, { requestId: 'id-1', closing: false });
  acceptBetweenRequests(app, admission, refuse, anyBodies);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  // Node.js hands over all requests of one packet in one iteration, which handles 128 of them. Then 4 may wait.
  const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const post = 'POST /user HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello';
  const excess = post + post + get('/healthz') + get('/readyz');
  socket.write(get('/first').repeat(128) + excess + get('/last').repeat(4));
  while (received.split('seen').length - 1 < 134) await once(socket, 'data');
  assert.deepEqual(seen.slice(128, 131), ['/healthz', '/readyz', '/last']);
  assert.equal(received.split('HTTP/1.1 503').length - 1, 2);
  assert.match(received, /X-Request-Id: id-1\r\n.*Retry-After: 1\r\n.*"code":1503/s);
});

test('the pace of requests is measured from the first one on', async (t) => {
  const app = Fastify();
  app.get('/', async () => 'seen');
  const iterationSize = new IterationSize();
  const begin = t.mock.method(iterationSize, 'begin');
  acceptBetweenRequests(
    app,
    new Admission({ waitMaxMs: 50, onRefused: () => {}, iterationSize }),
    () => {},
    anyBodies,
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  assert.equal(begin.mock.callCount(), 0);
  for (let count = 0; count < 3; count += 1) await (await fetch(url)).text();
  assert.equal(begin.mock.callCount(), 1);
});
