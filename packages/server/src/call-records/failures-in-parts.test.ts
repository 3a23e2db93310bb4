import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

const failures = 12_000;

/** Adds failed calls, one a second before now, of forty applications with three codes. */
async function addFailures({ bookkeeping, nowMs }: TestServer): Promise<void> {
  await sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(failures - 1)})
    insert into failed_call (request_id, at, verified, app_id, operation, code, message, duration_us, method, target)
    select 'request-' || i, cast(${nowMs} as bigint) - 1000 * i, i % 2, 'app' || (i % 40), 'query-user',
      1101 + i % 3, 'no user has this id', 1, 'GET', '/user' from n`.execute(bookkeeping);
}

/** Runs the work, and counts the iterations of the event loop meanwhile. */
async function iterationsDuring<T>(work: () => Promise<T>): Promise<{ result: T; iterations: number }> {
  let iterations = 0;
  const count = () => {
    iterations += 1;
    counted = setImmediate(count);
  };
  let counted = setImmediate(count);
  try {
    return { result: await work(), iterations };
  } finally {
    clearImmediate(counted);
  }
}

test('failed calls are searched a few thousand at a time, and others are served in between', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  await addFailures(server);
  const { calls } = server.database.bookkeeping;
  const filters = { appIds: ['app0', 'app1'], code: 1103 };
  const all: string[] = [];
  const { iterations } = await iterationsDuring(async () => {
    for (let before: { atMs: number; requestId: string } | undefined; ; ) {
      const page = await calls.listFailuresBack({ filters, ...(before && { before }), limit: 70 });
      all.push(...page.map(({ requestId }) => requestId));
      before = page.at(-1);
      if (page.length < 70) return;
    }
  });
  assert.ok(iterations >= failures / 2_000 - 1, `${iterations}`);
  const expected = Array.from({ length: failures }, (_, index) => index)
    .filter((index) => index % 40 <= 1 && index % 3 === 2)
    .map((index) => `request-${index}`);
  assert.deepEqual(all, expected);
  const none = await iterationsDuring(() => calls.listFailuresBack({ filters: { appIds: [] }, limit: 70 }));
  assert.deepEqual(none.result, []);
  assert.ok(none.iterations >= failures / 2_000 - 1, `${none.iterations}`);
});

test('a search for the failed calls of a period reads no others', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  await addFailures(server);
  const { calls } = server.database.bookkeeping;
  const timeOf = (index: number) => BigInt(server.nowMs - 1000 * index);
  const ofTime = { sinceMs: timeOf(6_010), untilMs: timeOf(6_000) };
  const search = (appIds: string[]) =>
    iterationsDuring(() => calls.listFailuresBack({ filters: { appIds, ...ofTime }, limit: 70 }));
  const { result, iterations } = await search(['app1', 'app10']);
  assert.deepEqual(
    result.map(({ requestId }) => requestId),
    ['request-6001', 'request-6010'],
  );
  assert.ok(iterations <= 3, `${iterations}`);
  const none = await search([]);
  assert.deepEqual(none.result, []);
  assert.ok(none.iterations <= 3, `${none.iterations}`);
});

test('a failed call is found by its id in one step, if its caller is among those asked for', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  await addFailures(server);
  const { calls } = server.database.bookkeeping;
  const find = (appId: string) =>
    iterationsDuring(() =>
      calls.listFailuresBack({ filters: { appIds: [appId], requestId: 'request-11000' }, limit: 1 }),
    );
  const { result, iterations } = await find('app0');
  assert.deepEqual(
    result.map(({ requestId }) => requestId),
    ['request-11000'],
  );
  assert.ok(iterations <= 2, `${iterations}`);
  assert.deepEqual((await find('app1')).result, []);
});

test('the latest failed calls are sought a few thousand at a time, and others are served in between', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  await addFailures(server);
  const { calls } = server.database.bookkeeping;
  const sinceMs = server.nowMs - 1000 * (failures - 1);
  const { result, iterations } = await iterationsDuring(() =>
    calls.latestFailures({ sinceMs, appIds: ['app7', 'app8'] }),
  );
  assert.ok(iterations >= failures / 2_000 - 1, `${iterations}`);
  assert.deepEqual(result.map(({ appId, code, requestId }) => `${appId} ${code} ${requestId}`).sort(), [
    'app7 1101 request-87',
    'app7 1102 request-7',
    'app7 1103 request-47',
    'app8 1101 request-48',
    'app8 1102 request-88',
    'app8 1103 request-8',
  ]);
});

test('a purge deletes 5,000 failures of each kind, a thousand at a time', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const { calls } = server.database.bookkeeping;
  const weekMs = 7 * 86_400_000;
  const left = async (nowMs: number, failuresMax: number) => {
    await calls.purge({ nowMs, latestMs: nowMs }, { summariesMs: weekMs, failuresMs: weekMs, failuresMax });
    await server.database.bookkeeping.flush();
    const rows = await server.bookkeeping.selectFrom('failed_call').select('at').orderBy('at').execute();
    return { count: rows.length, oldestMs: Number(rows[0]?.at ?? 0) };
  };
  await addFailures(server);
  const old = await iterationsDuring(() => left(server.nowMs + weekMs + 1, failures));
  assert.deepEqual(old.result, { count: failures - 5_000, oldestMs: server.nowMs - 6_999_000 });
  assert.ok(old.iterations >= 4, `${old.iterations}`);
  assert.equal((await left(server.nowMs + weekMs + 1, failures)).count, failures - 10_000);
  assert.equal((await left(server.nowMs + weekMs + 1, failures)).count, 0);
  await addFailures(server);
  // 5,000 of verified callers and 5,000 of the others.
  const trimmed = await left(server.nowMs, 500);
  assert.deepEqual(trimmed, { count: failures - 10_000, oldestMs: server.nowMs - 1_999_000 });
  assert.equal((await left(server.nowMs, 500)).count, 1_000);
});
