import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { countLooks } from '../../test/count-looks.ts';
import { applications, startMs, startTestServer, type TestServer } from '../../test/test-server.ts';
import type { CallRetention } from '../database/database.ts';
import { SteadyClock } from '../upkeep/steady-clock.ts';
import { CallRecorder } from './call-recorder.ts';

const server = await startTestServer({ lockWaitMs: 200 });
after(() => server.close());

const { main, reader } = applications;

const warn = (error: unknown) => assert.ifError(error);

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** Hands over what was counted, and writes it. */
async function write(): Promise<void> {
  server.app.recorder.flush();
  await server.database.bookkeeping.flush();
}

const rowsOf = (operation: string) =>
  server.bookkeeping.selectFrom('call_summary').selectAll().where('operation', '=', operation).execute();

async function failure(requestId: string) {
  await server.database.bookkeeping.flush();
  return server.database.bookkeeping.calls.findFailure(requestId);
}

test('calls are added up by minute, application, operation and code', async () => {
  await server.createUser('counted');
  await write();
  for (const as of [main, main, reader])
    await server.succeed('GET', '/user?username=counted', undefined, { as });
  await server.call('GET', '/user?user_id=4711');
  server.nowMs += minuteMs;
  await server.succeed('GET', '/user?username=counted');
  await write();
  await server.succeed('GET', '/user?username=counted');
  await write();
  const minute = Math.floor(startMs / minuteMs) * minuteMs;
  const rows = (await rowsOf('query-user')).map(({ start_at, app_id, code, calls }) =>
    [Number(start_at) - minute, app_id, code, calls].join(' '),
  );
  assert.deepEqual(rows.sort(), [
    '0 app-main 0 2',
    '0 app-main 1101 1',
    '0 app-reader 0 1',
    '60000 app-main 0 2',
  ]);
});

test('totals say how long calls took, with each call in one step of the histogram', async () => {
  const totals = await server.database.bookkeeping.calls.totals({ sinceMs: 0 });
  const row = totals.find(
    ({ operation, appId, code }) => `${operation} ${appId} ${code}` === 'query-user app-main 0',
  );
  assert.equal(row?.calls, 4);
  assert.equal(
    row?.histogram.reduce((sum, count) => sum + count),
    4,
  );
  assert.ok(row.totalUs > 0);
  const failed = await server.database.bookkeeping.calls.totals({ sinceMs: 0, failedOnly: true });
  assert.deepEqual([...new Set(failed.map(({ code }) => code))], [1101]);
});

test('totals over hours are exact, no matter when they begin', async () => {
  const own = await startTestServer();
  const { calls } = own.database.bookkeeping;
  const hour = 3_600_000;
  const rest = { appId: 'a', operation: 'o', code: 0, totalUs: 1, histogram: [1, 0, 0, 0, 0, 0, 0, 0] };
  const minutes = Array.from({ length: 300 }, (_, index) => 100 * hour + index * minuteMs);
  for (const part of [minutes.slice(0, 130), minutes.slice(130)]) {
    calls.addSummaries(part.map((each) => ({ ...rest, minuteMs: each, calls: 1 })));
    await own.database.bookkeeping.flush();
  }
  for (const first of [0, 1, 59, 60, 61, 150, 240, 299, 300]) {
    const [total] = await calls.totals({ sinceMs: 100 * hour + first * minuteMs });
    assert.equal(total?.calls ?? 0, 300 - first, `from minute ${first}`);
  }
  assert.equal((await own.bookkeeping.selectFrom('call_hour').selectAll().execute()).length, 5);
  await own.close();
});

test('unknown APPIDs share one row, however many there are', async () => {
  for (let count = 0; count < 5; count += 1) {
    const as = { appId: `nobody-${count}`, appSecret: 'x' };
    await server.call('GET', '/orgs', undefined, { as });
  }
  await write();
  const rows = await rowsOf('list-orgs');
  assert.deepEqual(
    rows.map(({ app_id, code, calls }) => [app_id, code, calls]),
    [['', 1013n, 5n]],
  );
});

test('a failed call is kept with its application, operation, code, message, duration, address and target', async () => {
  const { requestId } = await server.call('GET', '/user?user_id=4712');
  const { durationUs, ...kept } = (await failure(requestId)) ?? { durationUs: 0 };
  assert.ok(durationUs > 0);
  assert.deepEqual(kept, {
    requestId,
    atMs: server.nowMs,
    verified: true,
    appId: 'app-main',
    operation: 'query-user',
    code: 1101,
    message: 'no user has id 4712',
    address: '127.0.0.1',
    method: 'GET',
    target: '/user?user_id=4712',
  });
});

test('a call that succeeds is not kept as a failed one', async () => {
  const { requestId } = await server.succeed('GET', '/user?username=counted');
  assert.equal(await failure(requestId), undefined);
});

test('for a wrong signature, the likely cause and the string to sign are kept', async () => {
  const nonce = 'nonce-of-a-wrong-one';
  const { requestId } = await server.call('GET', '/user?username=a%20b', undefined, {
    nonce,
    signedTarget: '/user',
  });
  const kept = await failure(requestId);
  assert.equal(kept?.code, 1014);
  assert.equal(kept.verified, false);
  assert.match(kept.cause ?? '', /query/);
  assert.equal(kept.message, 'the signature does not match');
  assert.deepEqual(kept.stringsToSign, [`GET\n${server.nowSeconds}\n${nonce}\n/user?username=a b`]);
});

test('the Content-MD5 of a body that may hold a password is withheld, and kept for other bodies', async () => {
  const line = async (target: string, body: object, method = 'POST') => {
    const { requestId } = await server.call(method, target, body, { signedBody: '{}' });
    return (await failure(requestId))?.stringsToSign?.[0]?.split('\n')[1];
  };
  for (const target of ['/user', '/user/stores', '/users/batch', '/user/password/check']) {
    assert.match((await line(target, { password: 'secret' })) ?? '', /^\(withheld/, target);
  }
  assert.match((await line('/user', { password: 'secret' }, 'PUT')) ?? '', /^\(withheld/);
  assert.match((await line('/user/store', { store_code: 'S001' })) ?? '', /^[A-Za-z0-9+/]{22}==$/);
});

test('values of parameters that the operation does not read are withheld everywhere', async () => {
  for (const rest of ['hunter2', 'hunter2=', 'hunter2==']) {
    const target = `/user?username=kept&user_id=&password=hunter2&${rest}`;
    const { requestId } = await server.call('GET', target, undefined, { signedMethod: 'POST' });
    const kept = await failure(requestId);
    assert.equal(kept?.target, '/user?username=kept&user_id=&password=…&…');
    assert.match(kept.stringsToSign?.[0] ?? '', /\?password=…&user_id=&username=kept&…=…$/);
    assert.doesNotMatch(JSON.stringify(kept), /hunter2/);
  }
  const unmatched = await server.send({ method: 'GET', target: '/nowhere?token=hunter2', headers: {} });
  assert.equal((await failure(unmatched.requestId))?.target, '/nowhere?token=…');
  for (const [query, message] of [
    [
      'password=hunt%er2',
      /^the value of parameter "password" has a "%" that is not followed by two hexadecimal digits$/,
    ],
    [
      'password=hunt%FFer2',
      /^the value of parameter "password" has percent-encoded bytes that are not UTF-8$/,
    ],
    ['password=a&hunt%er2', /^a part of the query without a value has a "%"/],
    ['password=a&hunt%26er2', /^a part of the query without a value has "=", "&" or a control character; /],
    ['password=a&hunt%er2=', /^a part of the query without a value has a "%" [^"]*$/],
    ['password=a&hunt%26er2=', /^a part of the query without a value has "=", "&" or a control character; /],
    ['password=a&hunt%26er2==', /^a part of the query without a value has "=", "&" or a control character; /],
    ['password=a&hunt%26er2=b', /^a parameter name has "=", "&" or a control character; /],
    ['password=a&hunt%er2=b', /^a parameter name has a "%" that is not followed by two hexadecimal digits$/],
    ['username=hunt%er2', /, at "%er2"$/],
  ] as const) {
    const target = `/user?${query}`;
    const { envelope, requestId } = await server.send({
      method: 'GET',
      target,
      headers: server.sign('GET', '/user').headers,
    });
    assert.deepEqual([envelope.code, (await failure(requestId))?.message], [1001, envelope.message]);
    assert.match(envelope.message, message);
  }
  const long = `/user?username=kept${'&k'.repeat(256)}`;
  const refused = await server.send({
    method: 'GET',
    target: long,
    headers: server.sign('GET', '/user').headers,
  });
  assert.equal(refused.envelope.code, 1001);
  assert.equal((await failure(refused.requestId))?.target, '/user?…');
});

test('only the beginning of an unknown APPID is kept, because it may be a pasted secret', async () => {
  const as = { appId: 'a-secret-pasted-here', appSecret: 'x' };
  const { requestId } = await server.call('GET', '/orgs', undefined, { as });
  assert.equal((await failure(requestId))?.appId, 'a-secret…');
});

const retention: CallRetention = { summariesMs: 10 * minuteMs, failuresMs: 10 * minuteMs, failuresMax: 2 };

test('the latest failed call of each application and code is found, by its request id if several have its time', async (t) => {
  const own = await startTestServer();
  t.after(() => own.close());
  const { calls } = own.database.bookkeeping;
  const common = { verified: true, operation: 'o', message: 'm', durationUs: 1, method: 'GET', target: '/' };
  const failed = (requestId: string, atMs: number, appId: string, code: number) => ({
    ...common,
    ...{ requestId, atMs, appId, code },
  });
  calls.addFailures([
    failed('a', 100, 'north', 1001),
    failed('b', 300, 'north', 1001),
    failed('c', 300, 'north', 1001),
    failed('d', 200, 'north', 1001),
    failed('e', 300, 'north', 1102),
    failed('f', 300, 'south', 1001),
    failed('g', 300, 'west', 1001),
    failed('h', 40, 'south', 1503),
  ]);
  await own.database.bookkeeping.flush();
  const found = await calls.latestFailures({ sinceMs: 50, appIds: ['north', 'south'] });
  assert.deepEqual(found.map((call) => Object.values(call).join(' ')).sort(), [
    'north 1001 300 c',
    'north 1102 300 e',
    'south 1001 300 f',
  ]);
});

test('records are deleted after their retention, and the newest failures of each kind of caller stay', async () => {
  const { calls } = server.database.bookkeeping;
  server.nowMs += 20 * minuteMs;
  const recent: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    server.nowMs += 1_000;
    recent.push((await server.call('GET', '/user?user_id=4713')).requestId);
  }
  server.nowMs += 1_000;
  const stranger = await server.call('GET', '/orgs', undefined, { as: { appId: 'nobody', appSecret: 'x' } });
  await write();
  await calls.purge({ nowMs: server.nowMs, latestMs: server.nowMs }, retention);
  await server.database.bookkeeping.flush();
  const kept = await server.bookkeeping
    .selectFrom('failed_call')
    .select('request_id')
    .orderBy('at')
    .execute();
  assert.deepEqual(
    kept.map(({ request_id }) => request_id),
    [...recent.slice(-2), stranger.requestId],
  );
  const summaries = await server.bookkeeping
    .selectFrom('call_summary')
    .select(['start_at', 'operation', 'calls'])
    .orderBy('operation')
    .execute();
  const minute = Math.floor(server.nowMs / minuteMs) * minuteMs;
  assert.deepEqual(
    summaries.map(({ start_at, operation, calls }) => [Number(start_at) - minute, operation, calls]),
    [
      [0, 'list-orgs', 1n],
      [0, 'query-user', 4n],
    ],
  );
});

test('many counts are read in parts that add up, and others are served in between', async (t) => {
  const own = await startTestServer();
  t.after(() => own.close());
  const { calls } = own.database.bookkeeping;
  const hourMs = 60 * minuteMs;
  const start = Math.floor(own.nowMs / hourMs) * hourMs;
  for (const [table, stepMs] of [
    ['call_summary', minuteMs],
    ['call_hour', hourMs],
  ] as const) {
    await sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 23999)
      insert into ${sql.table(table)} select cast(${start} as bigint) + i / 400 * ${sql.lit(stepMs)}, 'app' || (i % 40),
        'operation-' || (i / 40 % 10), 0, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0 from n`.execute(own.bookkeeping);
  }
  const appIds = ['app3', 'app10'];
  let iterations = 0;
  const count = () => {
    iterations += 1;
    counted = setImmediate(count);
  };
  let counted = setImmediate(count);
  const history = await calls.history({ sinceMs: start, per: 'hour', appIds });
  const totals = await calls.totals({ sinceMs: start + 1, appIds });
  clearImmediate(counted);
  assert.ok(iterations >= 10, `${iterations}`);
  assert.equal(history.length, 600);
  assert.deepEqual(history.at(-1)?.histogram, [2, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(
    history.map(({ startMs }) => startMs),
    history.map((_, index) => start + Math.floor(index / 10) * hourMs),
  );
  assert.equal(totals.length, 20);
  const [first, , , , , , , , , , eleventh] = totals;
  // 59 minutes within the first hour, and 59 whole hours after it.
  assert.deepEqual(first, {
    appId: 'app10',
    operation: 'operation-0',
    code: 0,
    calls: 118,
    totalUs: 236,
    histogram: [118, 0, 0, 0, 0, 0, 0, 0],
    firstMs: start + minuteMs,
    lastMs: start + 59 * hourMs,
  });
  assert.equal(eleventh?.appId, 'app3');
});

test('a purge deletes a few thousand summaries at once, oldest or furthest ahead first', async (t) => {
  const own = await startTestServer();
  t.after(() => own.close());
  const { calls } = own.database.bookkeeping;
  const minute = Math.floor(own.nowMs / minuteMs) * minuteMs;
  const fill = (fromMs: number) =>
    sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 41999)
      insert into call_summary select cast(${fromMs} as bigint) + i / 100 * 60000, 'app' || i, 'query-user', 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0
      from n`.execute(own.bookkeeping);
  const left = async () => {
    await calls.purge({ nowMs: minute, latestMs: minute }, { ...retention, summariesMs: dayMs });
    await own.database.bookkeeping.flush();
    const { rows } = await sql<{ rows: bigint; first: bigint; last: bigint }>`select count(*) as rows,
      min(start_at) as first, max(start_at) as last from call_summary where app_id like 'app%'`.execute(
      own.bookkeeping,
    );
    const [{ rows: count, first, last } = assert.fail()] = rows;
    return [Number(count), (Number(first) - minute) / minuteMs, (Number(last) - minute) / minuteMs];
  };
  const daysAgo = minute - 2 * dayMs;
  await fill(daysAgo);
  assert.deepEqual(await left(), [22_000, 200 - 2880, 419 - 2880]);
  assert.deepEqual(await left(), [2_000, 400 - 2880, 419 - 2880]);
  assert.equal((await left())[0], 0);
  await fill(minute + 8 * dayMs);
  assert.deepEqual(await left(), [22_000, 11_520, 11_520 + 219]);
  assert.deepEqual(await left(), [2_000, 11_520, 11_520 + 19]);
  assert.equal((await left())[0], 0);
});

test('failures dated by a wrong clock displace no others, whether the clock is ahead or behind', async (t) => {
  const own = await startTestServer();
  t.after(() => own.close());
  const hourMs = 60 * minuteMs;
  const failTwice = async () => {
    const failed: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      own.nowMs += 1_000;
      failed.push((await own.call('GET', '/user?user_id=4714')).requestId);
    }
    own.app.recorder.flush();
    await own.database.bookkeeping.flush();
    return failed;
  };
  const kept = async () => {
    const times = { nowMs: own.nowMs, latestMs: own.nowMs };
    await own.database.bookkeeping.calls.purge(times, { ...retention, failuresMs: 1_000 * hourMs });
    await own.database.bookkeeping.flush();
    const rows = await own.bookkeeping.selectFrom('failed_call').select('request_id').orderBy('at').execute();
    return rows.map(({ request_id }) => request_id);
  };
  const right = await failTwice();
  own.nowMs -= 2 * hourMs;
  const behind = await failTwice();
  assert.deepEqual(await kept(), [...behind, ...right]);
  own.nowMs += 102 * hourMs;
  const [, , ...ahead] = [...(await failTwice()), ...(await failTwice())];
  own.nowMs -= 100 * hourMs;
  assert.deepEqual(await kept(), [...right, ...ahead]);
  const later = await failTwice();
  assert.deepEqual(await kept(), [...later, ...ahead]);
});

test('a clock that leaps ahead deletes no records before it has lasted a day', async () => {
  const own = await startTestServer();
  let [aheadMs, elapsedMs] = [0, 0];
  const clock = new SteadyClock({
    wasRunning: async () => true,
    // A real monotonic clock has fractions of a millisecond, and goes on between two looks.
    elapsedMs: () => {
      elapsedMs += 0.01;
      return elapsedMs;
    },
  });
  const now = () => own.nowMs + aheadMs + Math.floor(elapsedMs);
  const recorder = new CallRecorder(own.database.bookkeeping.calls, 90, { now, clock, warn });
  const left = async () => {
    await recorder.purge();
    await own.database.bookkeeping.flush();
    const tables = ['failed_call', 'call_summary', 'call_hour'] as const;
    return Promise.all(
      tables.map(async (table) => (await own.bookkeeping.selectFrom(table).selectAll().execute()).length),
    );
  };
  await own.call('GET', '/user?user_id=4715');
  own.app.recorder.flush();
  assert.deepEqual(await left(), [1, 1, 1]);
  aheadMs = 365 * dayMs;
  // Its record shares a transaction with the purge.
  await own.call('GET', '/user?user_id=4716');
  assert.deepEqual(await left(), [2, 1, 1]);
  elapsedMs = dayMs + 1;
  assert.deepEqual(await left(), [0, 0, 0]);
  await own.close();
});

test('the first of several purges in a row that fail is told', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const own = await startTestServer();
  const [told, failing]: [unknown[], boolean[]] = [[], [true, true, false, true]];
  let asked = 0;
  const wasRunning = async () => {
    if (failing[asked++] === true) throw new Error(`number ${asked}`);
    return false;
  };
  const clock = new SteadyClock({ wasRunning, elapsedMs: () => 0 });
  const recorder = new CallRecorder(own.database.bookkeeping.calls, 90, {
    now: () => own.nowMs,
    clock,
    warn: (error) => told.push(String(error)),
  });
  recorder.start();
  while (asked < failing.length) {
    await new Promise(setImmediate);
    t.mock.timers.tick(60_000);
  }
  await recorder.stop();
  assert.deepEqual(told, ['Error: number 1', 'Error: number 4']);
  await own.close();
});

test('a purge that fails is a warning in the log', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const own = await startTestServer();
  t.mock.method(own.database.bookkeeping.calls, 'purge', () => Promise.reject(new Error('no disk')));
  const lines = () =>
    own.logLines.filter((line) =>
      line.includes('old call records could not be purged; the next purge deletes them'),
    );
  for (let rounds = 0; rounds < 100 && lines().length === 0; rounds++) {
    t.mock.timers.tick(60_000);
    await new Promise(setImmediate);
  }
  assert.partialDeepStrictEqual(JSON.parse(lines()[0] ?? '{}'), { level: 40, cause: 'Error: no disk' });
  await own.close();
});

test('a stop waits for a purge that still reads the database', async () => {
  const own = await startTestServer();
  const proof = Promise.withResolvers<boolean>();
  const clock = new SteadyClock({ wasRunning: () => proof.promise, elapsedMs: () => 0 });
  const recorder = new CallRecorder(own.database.bookkeeping.calls, 90, {
    now: () => own.nowMs,
    clock,
    warn,
  });
  recorder.start();
  let isStopped = false;
  const stopping = recorder.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  assert.equal(isStopped, false);
  proof.resolve(true);
  await stopping;
  await own.close();
});

/** Returns a clock, and what sets it: how far it is ahead, and how long the process runs. */
function settableClock(own: TestServer, proved: boolean) {
  const set = { aheadMs: 0, elapsedMs: 0 };
  const clock = new SteadyClock({ wasRunning: async () => proved, elapsedMs: () => set.elapsedMs });
  const now = () => own.nowMs + set.aheadMs + set.elapsedMs;
  return { set, recorder: new CallRecorder(own.database.bookkeeping.calls, 90, { now, clock, warn }) };
}

/** Returns how many rows a purge leaves in each table. */
async function leftAfterPurge(own: TestServer, recorder: CallRecorder): Promise<number[]> {
  await recorder.purge();
  await own.database.bookkeeping.flush();
  const tables = ['failed_call', 'unkept_failure', 'call_summary', 'call_hour'] as const;
  return Promise.all(
    tables.map(async (table) => (await own.bookkeeping.selectFrom(table).selectAll().execute()).length),
  );
}

/** Records a failed call as a node would whose clock is ahead. */
async function recordAhead(own: TestServer, aheadMs: number): Promise<void> {
  const atMs = own.nowMs + aheadMs;
  const common = { code: 1001, operation: 'o', appId: 'a' };
  const { calls } = own.database.bookkeeping;
  const failure = {
    ...common,
    requestId: `ahead-${aheadMs}`,
    atMs,
    verified: true,
    message: 'm',
    durationUs: 1,
  };
  const minuteStartMs = Math.floor(atMs / minuteMs) * minuteMs;
  calls.addFailures([{ ...failure, method: 'GET', target: '/' }], { minuteMs: minuteStartMs, calls: 1 });
  const histogram = [1, 0, 0, 0, 0, 0, 0, 0];
  calls.addSummaries([{ ...common, minuteMs: minuteStartMs, calls: 1, totalUs: 1, histogram }]);
  await own.database.bookkeeping.flush();
}

test('what a clock dated years ahead is deleted, and what it dated a few days ahead stays', async (t) => {
  const own = await startTestServer();
  t.after(() => own.close());
  const { set, recorder } = settableClock(own, true);
  for (const aheadMs of [0, 6 * dayMs, 9 * dayMs, 73 * 365 * dayMs]) await recordAhead(own, aheadMs);
  assert.deepEqual(await leftAfterPurge(own, recorder), [4, 4, 4, 4]);
  set.elapsedMs = dayMs;
  await leftAfterPurge(own, recorder);
  assert.deepEqual(await leftAfterPurge(own, recorder), [2, 2, 2, 2]);
  assert.ok(await own.database.bookkeeping.calls.findFailure(`ahead-${6 * dayMs}`));
});

test('a process whose clock is behind deletes nothing that the database’s clock does not find ahead', async (t) => {
  const own = await startTestServer();
  t.after(() => own.close());
  const { set, recorder } = settableClock(own, true);
  await recordAhead(own, 0);
  set.aheadMs = -365 * dayMs;
  await leftAfterPurge(own, recorder);
  set.elapsedMs = dayMs;
  assert.deepEqual(await leftAfterPurge(own, recorder), [1, 1, 1, 1]);
});

test('after a clock is set back, nothing is deleted until that has lasted a day', async (t) => {
  const own = await startTestServer();
  t.after(() => own.close());
  const { set, recorder } = settableClock(own, true);
  await recordAhead(own, 0);
  await leftAfterPurge(own, recorder);
  // A step back shortly before the process has run for a day must last a day too.
  set.elapsedMs = dayMs - 1;
  own.nowMs -= 30 * dayMs;
  for (const elapsedMs of [dayMs - 1, 2 * dayMs - 2]) {
    set.elapsedMs = elapsedMs;
    assert.deepEqual(await leftAfterPurge(own, recorder), [1, 1, 1, 1]);
  }
  set.elapsedMs = 2 * dayMs - 1;
  assert.deepEqual(await leftAfterPurge(own, recorder), [0, 0, 0, 0]);
});

test('a server that starts with a clock set back deletes nothing that is dated later', async (t) => {
  for (const proved of [true, false]) {
    const own = await startTestServer();
    t.after(() => own.close());
    const { set, recorder } = settableClock(own, proved);
    await recordAhead(own, 0);
    own.nowMs -= 10 * dayMs;
    for (const elapsedMs of [0, dayMs - 1]) {
      set.elapsedMs = elapsedMs;
      assert.deepEqual(await leftAfterPurge(own, recorder), [1, 1, 1, 1]);
    }
  }
});

test('failures beyond the limit of a minute are counted, not kept', async () => {
  server.nowMs += minuteMs;
  const since = server.nowMs;
  for (let count = 0; count < 70; count += 1) await server.call('GET', '/user?user_id=4714');
  await write();
  const kept = await server.database.bookkeeping.calls.listFailures({ atMs: since - 1, requestId: '' }, 1000);
  assert.equal(kept.length, 60);
  assert.equal(await server.database.bookkeeping.calls.countUnkept(since - minuteMs), 10);
});

test('a stopping server writes its counts', async () => {
  const own = await startTestServer({
    folder: server.folder,
    lockWaitMs: 200,
    nowMs: server.nowMs + minuteMs,
  });
  await own.succeed('GET', '/stores?limit=1');
  await own.close();
  assert.equal((await rowsOf('list-stores')).length, 1);
});

test('with --calls-keep 0 nothing is recorded', async () => {
  const own = await startTestServer({ settings: { callsKeepDays: 0 } });
  const { requestId } = await own.call('GET', '/user?user_id=4716');
  own.app.recorder.flush();
  await own.database.bookkeeping.flush();
  assert.equal(await own.database.bookkeeping.calls.findFailure(requestId), undefined);
  assert.deepEqual(await own.database.bookkeeping.calls.totals({ sinceMs: 0 }), []);
  await own.close();
});

test('on the embedded database, bookkeeping does not drop cached answers', async (t) => {
  if (process.env.FIELDROSTER_TEST_ENGINE === 'postgres') {
    t.diagnostic('PostgreSQL has one version for all tables');
    return;
  }
  const { looks, wrapDatabase } = countLooks();
  const own = await startTestServer({ wrapDatabase });
  await own.createUser('kept');
  const read = () => own.succeed('GET', '/user?username=kept');
  await read();
  await read();
  const before = await own.database.dataVersion();
  const wrong = await own.call('POST', '/user/password/check', { username: 'kept', password: 'wrong' });
  assert.equal(wrong.envelope.code, 1104);
  await own.app.applications.recordUse();
  own.app.recorder.flush();
  await own.app.recorder.purge();
  await own.database.bookkeeping.flush();
  for (const table of ['password_failure', 'secret_use', 'call_summary', 'failed_call'] as const) {
    const rows = await own.bookkeeping.selectFrom(table).selectAll().execute();
    assert.ok(rows.length > 0, `${table} was written`);
  }
  assert.equal(await own.database.dataVersion(), before);
  looks.count = 0;
  await read();
  assert.equal(looks.count, 0);
  await own.close();
});
