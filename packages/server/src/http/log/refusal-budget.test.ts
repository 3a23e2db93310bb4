import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ConsoleBrowser, owner } from '../../../test/console-browser.ts';
import { type Answer, applications, type Overrides, startTestServer } from '../../../test/test-server.ts';
import { RefusalBudget, refusalLinesMax, type SuppressedRefusals } from './refusal-budget.ts';

const server = await startTestServer({ settings: { logLevel: 'warn', basePath: '/api/v1' } });
after(() => server.close());

const { main, reader } = applications;
const forger: Overrides = { as: { appId: main.appId, appSecret: 'wrong' } };

function linesOf({ requestId }: Answer): Record<string, unknown>[] {
  return server.logLines.map((line) => JSON.parse(line)).filter((line) => line.request_id === requestId);
}

/** Sends a request and returns the only line that it left. */
async function logged(...request: Parameters<typeof server.call>): Promise<Record<string, unknown>> {
  const answer = await server.call(...request);
  const lines = linesOf(answer);
  assert.equal(lines.length, 1, answer.text);
  return lines[0] ?? {};
}

const refusals: readonly (readonly [code: number, overrides: Overrides])[] = [
  [1011, { headers: { Nonce: undefined } }],
  [1012, { timestampSeconds: server.nowSeconds - 61 }],
  [1013, { as: { appId: 'a-stranger', appSecret: 'x' } }],
  [1014, forger],
  [1016, { as: reader }],
];

for (const [code, overrides] of refusals) {
  test(`${code} is a warning with address, method, path and a keyed hash of the username`, async () => {
    const line = await logged('DELETE', '/user?username=ophelia', undefined, overrides);
    const { level, address, method, path, username_hash } = line;
    assert.deepEqual([level, line.code, address, method], [40, code, '127.0.0.1', 'DELETE']);
    assert.equal(path, '/api/v1/user', 'without the query');
    assert.match(String(username_hash), /^[0-9a-f]{16}$/);
    // Not a name of hexadecimal digits, which a hash or a request id may contain.
    assert.ok(!JSON.stringify(line).includes('ophelia'), 'the username itself is in no line');
  });
}

test('a refusal for a reason other than the caller stays at level info', async () => {
  assert.deepEqual(linesOf(await server.call('GET', '/user?user_id=4711')), []);
});

test('the hash is equal for one user and application in every refusal, and different for others', async () => {
  const hash = async (username: string, overrides: Overrides) =>
    (await logged('GET', `/user?username=${username}`, undefined, overrides)).username_hash;
  const [first, second] = [await hash('ada', forger), await hash('ada', { timestampSeconds: 1 })];
  assert.equal(first, second);
  assert.notEqual(await hash('bob', forger), first);
});

test('a username in the body is logged only if the signature was right', async () => {
  const inQuery = await logged('GET', '/user?username=carol', undefined, forger);
  const verified = await logged('POST', '/user', { username: 'carol' }, { as: reader });
  assert.deepEqual([verified.code, verified.username_hash], [1016, inQuery.username_hash]);
  const forged = await logged('POST', '/user', { username: 'carol' }, forger);
  assert.deepEqual([forged.code, forged.username_hash], [1014, undefined]);
});

test('the line for a refused body that names nobody, or is not JSON, only lacks the hash', async () => {
  for (const body of [
    '[]',
    'null',
    '"x"',
    '{"username":7}',
    '{"username":""}',
    '{',
    `"${'x'.repeat(20_000)}"`,
  ]) {
    const line = await logged('POST', '/user', body, { as: reader });
    assert.deepEqual([line.code, line.username_hash], [1016, undefined], body.slice(0, 20));
  }
});

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test("log lines have the caller's ids and ours, in refusals and successes; the answer has ours", async () => {
  const both = await startTestServer();
  try {
    const headers = { 'X-Request-Id': 'order-7/retry:2', Traceparent: traceparent };
    await both.createUser('traced');
    for (const target of ['/user?username=traced', '/user?user_id=4711']) {
      const answer = await both.call('GET', target, undefined, { headers });
      const line = both.logLines
        .map((text) => JSON.parse(text))
        .find((each) => each.request_id === answer.requestId);
      assert.deepEqual([line?.caller_request_id, line?.traceparent], ['order-7/retry:2', traceparent]);
      assert.match(answer.requestId, /^[0-9a-f]{12}-/);
    }
  } finally {
    await both.close();
  }
});

test("the line of a call of the console has the caller's ids too, whether or not it succeeds", async () => {
  const both = await startTestServer();
  try {
    const page = new ConsoleBrowser(both);
    await page.join('ann', owner);
    const headers = { 'X-Request-Id': 'order-7/retry:2', Traceparent: traceparent };
    for (const [path, code] of [
      ['/session', 0],
      ['/tenants/4711/users', 1606],
    ] as const) {
      const answer = await page.call('GET', path, undefined, headers);
      assert.equal(answer.code, code, answer.message);
      const line = both.logLines
        .map((text) => JSON.parse(text))
        .find((each) => each.request_id === answer.headers.get('x-request-id'));
      assert.deepEqual([line?.caller_request_id, line?.traceparent], ['order-7/retry:2', traceparent]);
    }
  } finally {
    await both.close();
  }
});

test('ids that are too long, or have characters other than visible ASCII, are not logged', async () => {
  const wrong = ['x'.repeat(129), 'two words', 'caf\u00e9', 'tab\there', ''];
  for (const id of wrong) {
    const headers = { 'X-Request-Id': id, Traceparent: id };
    const line = await logged('GET', '/user', undefined, { ...forger, headers });
    assert.deepEqual([line.caller_request_id, line.traceparent], [undefined, undefined], id);
  }
  for (const id of [traceparent.toUpperCase(), `${traceparent}x`, `${traceparent}-${'y'.repeat(65)}`]) {
    const line = await logged('GET', '/user', undefined, { ...forger, headers: { Traceparent: id } });
    assert.equal(line.traceparent, undefined, id);
  }
  const longest = { 'X-Request-Id': 'x'.repeat(128) };
  const line = await logged('GET', '/user', undefined, { ...forger, headers: longest });
  assert.equal(line.caller_request_id, 'x'.repeat(128));
});

test('refusals beyond the lines of a period are counted and reported once, by code', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: SuppressedRefusals[] = [];
  const budget = new RefusalBudget((counts) => told.push(counts));
  const takeAll = () =>
    Array.from({ length: refusalLinesMax }, () => budget.take(1014)).every((taken) => taken);
  assert.ok(takeAll());
  assert.deepEqual([budget.take(1014), budget.take(1014), budget.take(1013)], [false, false, false]);
  t.mock.timers.tick(9_999);
  assert.deepEqual(told, []);
  t.mock.timers.tick(1);
  assert.deepEqual(told, [{ 1013: 1, 1014: 2 }]);
  assert.ok(takeAll(), 'the next period has its own lines');
  t.mock.timers.tick(10_000);
  assert.equal(told.length, 1, 'a period without suppressed refusals is not told');
});

test('a flood of refusals leaves a bounded number of lines, and one that says how many more there were', async (t) => {
  // No period ends, however long the requests take.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const flooded = await startTestServer({ settings: { logLevel: 'warn' } });
  const more = 25;
  for (let count = 0; count < refusalLinesMax + more; count += 1) {
    assert.equal((await flooded.send({ method: 'GET', target: '/user' })).envelope.code, 1011);
  }
  t.mock.timers.reset();
  await flooded.close();
  const lines = flooded.logLines.map((line) => JSON.parse(line));
  assert.equal(lines.length, refusalLinesMax + 1);
  const { level, suppressed, period_seconds } = lines.at(-1);
  assert.deepEqual([level, suppressed, period_seconds], [40, { 1011: more }, 10]);
});
