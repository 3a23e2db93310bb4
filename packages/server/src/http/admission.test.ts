import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { acceptBetweenRequests } from './accept-between-requests.ts';
import { Admission } from './admission.ts';
import { ResponseWithFixedHeaders } from './fixed-headers.ts';
import { refuseAtOnce } from './refuse-at-once.ts';

function startAdmission(waitingMax: number) {
  const clock = { nowMs: 0 };
  const reports: number[] = [];
  const admission = new Admission({
    waitingMax,
    onRefused: (count) => reports.push(count),
    now: () => clock.nowMs,
  });
  return { admission, clock, reports };
}

test('a burst may wait, however long it is, until the queue has not been empty for half a second', () => {
  const { admission, clock } = startAdmission(10);
  assert.ok(admission.admits(0));
  assert.ok(admission.admits(5_000));
  clock.nowMs = 500;
  admission.endTurn(4_000);
  assert.ok(admission.admits(4_000));
  clock.nowMs = 501;
  admission.endTurn(4_000);
  assert.equal(admission.admits(4_000), false);
  assert.ok(admission.admits(9));
});

test('once the queue was empty, the next burst may wait again', () => {
  const { admission, clock } = startAdmission(10);
  admission.admits(0);
  clock.nowMs = 1_000;
  admission.endTurn(100);
  assert.equal(admission.admits(10), false);
  admission.endTurn(0);
  assert.ok(admission.admits(0));
  assert.ok(admission.admits(100));
});

test('a turn handles fewer requests while what is behind the signature refuses them, and more again after that', () => {
  const { admission, clock } = startAdmission(10);
  admission.admits(0);
  clock.nowMs = 1_000;
  const turn = (busy: boolean) => {
    if (busy) admission.noteBusy();
    admission.endTurn(50);
    return admission.requestsPerTurn;
  };
  assert.deepEqual([true, true, true, true, true, true].map(turn), [64, 32, 16, 8, 8, 8]);
  assert.deepEqual([false, false].map(turn), [9, 10]);
  admission.endTurn(0);
  assert.equal(admission.requestsPerTurn, 128);
});

test('refusals are reported at most every ten seconds, with their number', () => {
  const { admission, clock, reports } = startAdmission(10);
  admission.admits(0);
  clock.nowMs = 1_000;
  admission.endTurn(100);
  for (let count = 0; count < 50; count += 1) admission.admits(100);
  clock.nowMs = 11_001;
  admission.admits(100);
  assert.deepEqual(reports, [1, 51]);
  assert.equal(admission.refused, 51);
});

test('a refused request is answered with 1503 and Retry-After, unseen by the server; health checks are answered', async (t) => {
  const app = Fastify({ http: { ServerResponse: ResponseWithFixedHeaders } });
  const seen: string[] = [];
  app.all('/*', async (request) => {
    seen.push(request.url);
    return 'seen';
  });
  const { admission, clock } = startAdmission(0);
  admission.admits(0);
  clock.nowMs = 1_000;
  admission.endTurn(1);
  acceptBetweenRequests(app, admission, (request, response) =>
    refuseAtOnce(request, response, 'id-1', false),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  // Node.js hands over all requests of one packet in one turn, which handles 128 of them.
  const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const post = 'POST /user HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello';
  socket.write(get('/first').repeat(128) + post + post + get('/healthz') + get('/readyz'));
  while (received.split('seen').length - 1 < 130) await once(socket, 'data');
  assert.deepEqual(seen.slice(128), ['/healthz', '/readyz']);
  assert.equal(received.split('HTTP/1.1 503').length - 1, 2);
  assert.match(received, /X-Request-Id: id-1\r\n.*Retry-After: 1\r\n.*"code":1503/s);
});
