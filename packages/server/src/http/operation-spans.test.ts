import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type Answer, startTestServer } from '../../test/test-server.ts';
import { startTracing } from '../tracing/start-tracing.ts';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
}

interface ExportedSpan {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

const spans: ExportedSpan[] = [];
const answers = new Map<string, Answer>();

/** Makes each call once, and waits until all spans are exported. */
before(async () => {
  const collector = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Export;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
  const endTracing = await startTracing(process.env, () => {});
  const server = await startTestServer({ settings: { httpStatus: 'standard' }, lockWaitMs: 20 });
  after(() => server.close());
  answers.set('success', await server.succeed('POST', '/user/stores', { username: 'traced' }));
  answers.set('refusal', await server.call('GET', '/user?user_id=4711'));
  const write = () => server.call('POST', '/user/stores', { username: 'late' });
  answers.set('overload', await server.whileLocked(write));
  await server.breakDatabase();
  answers.set('internal error', await server.call('GET', '/user?user_id=1'));
  await endTracing();
  collector.close();
});

function spanOf({ requestId }: Answer) {
  const found = spans
    .map(({ name, attributes, status }) => ({
      name,
      status: status.code,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }))
    .filter(({ attributes }) => attributes['fieldroster.request_id'] === requestId);
  assert.equal(found.length, 1, 'one span for one request');
  return found[0];
}

const unset = 0;
const failed = 2;

const queryUser = ['GET /user', 'GET', '/user', 'query-user'] as const;
const updateStores = ['POST /user/stores', 'POST', '/user/stores', 'batch-update-user-stores'] as const;

for (const [label, [name, method, route, operation], code, httpStatus, status] of [
  ['success', updateStores, 0, 200, unset],
  ['refusal', queryUser, 1101, 404, unset],
  ['overload', updateStores, 1503, 503, failed],
  ['internal error', queryUser, 1500, 500, failed],
] as const) {
  const state = status === failed ? 'failed' : 'not failed';
  test(`the span of the ${label} names the operation, the code and the status, and has ${state}`, () => {
    const answer = answers.get(label) as Answer;
    assert.equal(answer.envelope.code, code, answer.text);
    assert.deepEqual(spanOf(answer), {
      name,
      status,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'fieldroster.operation': operation,
        'fieldroster.request_id': answer.requestId,
        'fieldroster.code': code,
        'http.response.status_code': httpStatus,
        ...(code === 0 && { 'fieldroster.app_id': 'app-main' }),
      },
    });
  });
}
