import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import Fastify from 'fastify';
import type { CallRecorder } from '../call-records/call-recorder.ts';
import { readSettings, type Settings } from '../config.ts';
import { Logger } from '../logging/logger.ts';
import { CallCounts } from '../metrics/call-counts.ts';
import { ResponseWithFixedHeaders } from './answers/fixed-headers.ts';
import { passBodiesOn } from './body/unread-bodies.ts';
import { createDrain } from './drain.ts';
import { boundUnreadAnswers, guardConnections } from './guard-connections.ts';
import { Admission, createAdmission } from './limits/admission.ts';
import { ChunkTurns } from './limits/chunk-turns.ts';
import { queuedMax } from './limits/limit-unanswered.ts';
import { RareWarning } from './limits/rare-warning.ts';
import { RefusalPace } from './limits/refusal-pace.ts';
import { unreadCheckMs } from './limits/unread-answers.ts';
import { WaitingBodies } from './limits/waiting-bodies.ts';
import { WaitingResponses } from './limits/waiting-responses.ts';
import { RequestLog } from './log/request-log.ts';
import { answerClientError } from './parsing/client-error.ts';

const mebibyte = 1024 * 1024;

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Collects warnings. */
function collectWarnings() {
  const warnings: { address?: string; message: string }[] = [];
  const warning = new RareWarning((fields, message) => warnings.push({ ...fields, message }));
  return { warnings, warning };
}

/** Memory for packets that wait, in bytes. */
const heldBytesMax = 1_000_000;

/** Starts a guarded listener that answers, and that sends the size of a body back. */
async function listen(t: TestContext, own: Partial<Settings> = {}) {
  const settings = { ...readSettings({}, {}), ...own };
  const logger = new Logger('info', () => {});
  const counts = new CallCounts();
  const { warnings, warning } = collectWarnings();
  const { unread, endUnreadChecks } = boundUnreadAnswers(64 * mebibyte, warning);
  const turns = new ChunkTurns(heldBytesMax);
  const newRequestId = () => 'r-1';
  const app = Fastify({
    http: { ServerResponse: ResponseWithFixedHeaders },
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, {
        ...settings,
        server: app.server,
        turns,
        newRequestId,
        log: () => {},
      }),
  });
  app.get('/', async () => 'answered');
  passBodiesOn(app);
  let bodies = 0;
  app.post('/', async ({ body }) => {
    bodies += 1;
    let bytes = 0;
    (body as IncomingMessage).on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await once(body as IncomingMessage, 'end');
    return { bytes };
  });
  const drain = createDrain(app);
  guardConnections(app, drain, {
    settings,
    log: new RequestLog(logger, {} as CallRecorder, counts),
    newRequestId,
    queueRefusals: warning,
    unread,
    headerClosures: warning,
    chunkRefusals: warning,
    turns,
    unfinishedBytesMax: 16 * mebibyte,
    waitingBodies: new WaitingBodies({ requests: 8_192, chunked: 8, bytes: 1_000_000 }),
    waitingResponses: new WaitingResponses(8_192),
    admission: createAdmission(settings, logger),
    refusalPace: new RefusalPace({ heldMax: 0 }),
    observer: counts,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => {
    endUnreadChecks();
    app.server.closeAllConnections();
    return app.close();
  });
  const open = () => connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  return { open, drain, warnings, bodies: () => bodies, refusals: () => refusalsIn(counts) };
}

/** Returns how many requests were refused unseen, by their code. */
function refusalsIn(counts: CallCounts): Readonly<Record<string, number>> {
  const [requests] = counts.metricSources();
  assert(requests?.type === 'counter');
  const samples = requests.read();
  assert(typeof samples !== 'number');
  const some = [...samples].filter(({ value }) => value > 0);
  return Object.fromEntries(some.map(({ labels, value }) => [labels?.code, value]));
}

/** Sends a request, and returns the start of the answer. */
async function ask(client: Socket): Promise<string> {
  client.write(request);
  const [chunk] = await once(client, 'data');
  return String(chunk);
}

test('a request that is refused for overload is counted, and its connection ends once the listener closes', async (t) => {
  t.mock.method(Admission.prototype, 'admits', () => false);
  t.mock.getter(Admission.prototype, 'requestsPerIteration', () => 0);
  const { open, drain, refusals } = await listen(t);
  const client = open();
  assert.match(await ask(client), /^HTTP\/1\.1 503 .*^Connection: keep-alive\r$/ms);
  assert.deepEqual(refusals(), { 1503: 1 });
  const closed = drain.closeConnections({ idleMs: 60_000, timeoutMs: 60_000 });
  assert.match(await ask(client), /^HTTP\/1\.1 503 .*^Connection: close\r$/ms);
  await closed;
});

test('a request too many that was sent ahead is counted, and the log has the address of its connection', async (t) => {
  const { open, warnings, refusals } = await listen(t);
  const client = open();
  client.write(request.repeat(queuedMax + 2));
  await text(client);
  assert.deepEqual(refusals(), { 1429: 1 });
  const [warning, ...others] = warnings;
  assert.deepEqual([warning?.address, others], ['127.0.0.1', []]);
  assert.match(
    warning?.message ?? '',
    /^1 connections closed so far with code 1429: their clients read no answers while more than 50 requests waited on one connection, more than \d+ on all connections, or more than its share for one client$/,
  );
});

test('a body in chunks for whose packets there is no memory is refused and counted, and the log has an address', async (t) => {
  const { open, bodies, warnings, refusals } = await listen(t);
  const chunks = '1\r\nx\r\n'.repeat(10_000);
  const clients: Socket[] = [];
  while (clients.length < 40) {
    const client = open();
    clients.push(client);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
    while (bodies() < clients.length) await nextIteration();
  }
  const answers = Promise.all(clients.map((client) => text(client)));
  for (const client of clients) client.write(`${chunks}0\r\n\r\n`);
  const refused = (await answers).filter((answer) => !answer.endsWith('{"bytes":10000}'));
  assert.ok(refused.length > 0 && refused.length < clients.length, `${refused.length} were refused`);
  for (const answer of refused)
    assert.match(
      answer,
      /^HTTP\/1\.1 503 .*^Retry-After: 1\r$.*{"code":1503,"message":"too many bodies in small chunks [^}]*}$/ms,
    );
  assert.deepEqual(refusals(), { 1503: refused.length });
  const message =
    '1 connections closed so far with code 1503: too many bodies in small chunks waited to be read, which took too much memory';
  assert.deepEqual(warnings, [{ address: '127.0.0.1', message }]);
});

test('connections are closed whose unfinished headers take more than 16 MiB, and the log has an address', async (t) => {
  const { open, warnings } = await listen(t);
  const clients = Array.from({ length: 1_100 }, () => open());
  t.after(() => {
    for (const client of clients) client.destroy();
  });
  for (const client of clients) client.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(16_000)}`);
  while (warnings.length === 0) await nextIteration();
  const { address, message } = warnings[0] ?? {};
  assert.equal(address, '127.0.0.1');
  assert.match(message ?? '', /^1 connections closed so far: their clients sent a part of their headers, /);
});

test('a process pauses for connections that arrive together only if there are others to accept them', async (t) => {
  t.mock.method(performance, 'now', () => 0);
  const { mock } = t.mock.method(Atomics, 'wait', () => 'timed-out');
  for (const [workers, pauses] of [
    [1, 0],
    [2, 1],
  ] as const) {
    mock.resetCalls();
    const { open } = await listen(t, { workers });
    for (const client of [open(), open()]) assert.match(await ask(client), /^HTTP\/1\.1 200 /);
    assert.equal(mock.callCount(), pauses);
  }
});

test('four times a second, connections are closed that leave too much unread, until the checks end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { warnings, warning } = collectWarnings();
  const { unread, endUnreadChecks } = boundUnreadAnswers(64 * mebibyte, warning);
  const answer = Buffer.alloc(72 * 1024 * 1024);
  const server = createServer((_request, response) => response.end(answer));
  unread.follow(server, new WaitingResponses(8_192));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  /** Asks without reading the answer. Returns the end of the connection on the server. */
  const askOnly = async () => {
    const asked = once(server, 'request');
    connect((server.address() as AddressInfo).port, '127.0.0.1')
      .pause()
      .on('error', () => {})
      .write(request);
    const [{ socket }] = await asked;
    return socket as Socket;
  };
  const passChecks = async (count: number) => {
    for (let checks = 0; checks < count; checks += 1) {
      t.mock.timers.tick(unreadCheckMs);
      await nextIteration();
    }
  };
  const first = await askOnly();
  await passChecks(1);
  assert.equal(first.destroyed, false, 'a client has the time between two checks to read');
  await passChecks(1);
  assert.equal(first.destroyed, true);
  const message =
    '1 connections closed so far: their clients left answers unread, which took too much memory';
  assert.deepEqual(warnings, [{ address: '127.0.0.1', message }]);
  endUnreadChecks();
  const second = await askOnly();
  await passChecks(3);
  assert.equal(second.destroyed, false);
});
