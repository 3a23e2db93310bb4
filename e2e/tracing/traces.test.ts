import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { describeOnEachEngine } from '../each-engine.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';

/** Exports after a tenth of a second instead of five. */
const soon = { OTEL_BSP_SCHEDULE_DELAY: '100' };

describeOnEachEngine((provision, engine) => {
  let directory: Provisioned;
  let receiver: OtlpReceiver;
  let server: ServerProcess;
  let client: SignedClient;
  const sent: string[] = [];

  before(async () => {
    directory = await provision(5);
    receiver = await OtlpReceiver.start();
    const environment = { ...soon, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
    server = await ServerProcess.start({ ...directory, environment }, '--replay', 'nonce');
    client = new SignedClient(server.url, directory.credentials);
  });

  after(async () => {
    client.close();
    await server.stop();
    await receiver.stop();
    await directory.remove();
  });

  /** Sends a call in a new trace, and returns the spans of the server in it. */
  async function trace(method: string, target: string, body?: unknown, code = 0) {
    const call = client.sign(method, target, body);
    sent.push(call.headers.Authorization?.split(':')[2] ?? '', call.headers.Nonce ?? '');
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const headers = { ...call.headers, traceparent: `00-${traceId}-${spanId}-01` };
    assert.equal((await client.send({ ...call, headers })).code, code);
    const spans = await receiver.untilTrace(traceId);
    const root = spans.find(({ parentSpanId }) => parentSpanId === spanId);
    assert(root !== undefined, 'the span of the request continues the trace of the caller');
    return { spans, root };
  }

  const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

  test('a write has spans for its body, its password, its transaction and each statement', async () => {
    const password = 'correct horse battery staple';
    const { spans, root } = await trace('POST', '/user', { username: 'traced', password });
    assert.equal(root.name, 'POST /user');
    const { attributes } = root;
    assert.deepEqual(
      [attributes['fieldroster.operation'], attributes['fieldroster.app_id'], attributes['http.route']],
      ['create-user', directory.credentials.appId, '/user'],
    );
    const transaction = engine === 'SQLite' ? 'group commit' : 'transaction';
    for (const name of ['receive body', 'hash password', transaction])
      assert.equal(named(spans, name).length, 1, `${name} in ${spans.map((span) => span.name)}`);
    const [{ spanId } = { spanId: '' }] = named(spans, transaction);
    const statements = named(spans, 'statement').filter(({ parentSpanId }) => parentSpanId === spanId);
    const texts = statements.map((span) => String(span.attributes['db.query.text']));
    assert(
      texts.some((text) => text.startsWith('insert into "user"')),
      texts.join('\n'),
    );
    sent.push(password);
    const checked = await trace('POST', '/user/password/check', { username: 'traced', password });
    assert.equal(named(checked.spans, 'check password').length, 1);
  });

  test('a read has spans for its claim and its statements', async () => {
    const { spans } = await trace('GET', '/user?username=traced');
    assert.equal(named(spans, 'claim nonce').length, 1);
    const texts = named(spans, 'statement').map((span) => String(span.attributes['db.query.text']));
    assert(
      texts.some((text) => /from "user"/.test(text)),
      texts.join('\n'),
    );
  });

  test('calls at the same time keep their spans apart', async () => {
    const usernames = Array.from({ length: 12 }, (_, index) => `concurrent-${index}`);
    const traces = await Promise.all(
      usernames.map((username) => trace('POST', '/user/stores', { username, store_codes: [] })),
    );
    for (const { spans } of traces) {
      const inserts = named(spans, 'statement').filter((span) =>
        String(span.attributes['db.query.text']).startsWith('insert into "user"'),
      );
      assert.equal(inserts.length, 1);
    }
  });

  test('a refusal has its code and no error, because the server worked as intended', async () => {
    const { root } = await trace('GET', '/user?username=nobody-here', undefined, 1101);
    assert.equal(Number(root.attributes['fieldroster.code']), 1101);
    assert.notEqual(root.status.code, 2);
    sent.push('nobody-here');
  });

  test('background work of the server has no spans', () => {
    const roots = new Set(receiver.spans.filter(({ kind }) => kind === 2).map(({ traceId }) => traceId));
    assert(receiver.spans.every(({ traceId }) => roots.has(traceId)));
    assert.deepEqual(receiver.problems, []);
  });

  test('no exported byte holds a secret, a password, a signature, a nonce or a value of a call', () => {
    const { appSecret } = directory.credentials;
    const { text } = receiver;
    assert(text.includes('insert into'), 'there is something to search');
    for (const value of [appSecret, ...sent, 'traced', 'concurrent-1']) {
      assert(value.length > 0);
      assert(!text.includes(value), value);
      assert(!text.includes(Buffer.from(value).toString('base64')), value);
    }
  });
});

test('an unreachable collector affects no call, and the log says so once', async () => {
  const directory = await provisionDirectory(1);
  const gone = await OtlpReceiver.start();
  await gone.stop();
  const environment = { ...soon, OTEL_EXPORTER_OTLP_ENDPOINT: gone.url, OTEL_EXPORTER_OTLP_TIMEOUT: '200' };
  const server = await ServerProcess.start({ ...directory, environment });
  const client = new SignedClient(server.url, directory.credentials);
  try {
    for (let count = 0; count < 20 || !server.output.includes('traces cannot be exported'); count++)
      assert.equal((await client.call('GET', '/users?limit=1')).code, 0);
    assert.equal(server.output.split('traces cannot be exported').length, 2);
  } finally {
    client.close();
    assert.equal(await server.stop(), 0);
    await directory.remove();
  }
});
