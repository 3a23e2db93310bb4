import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClientBench } from '../test/client-bench.ts';
import { timestampSkewSeconds } from './generated/operations.ts';
import { isFieldrosterError, type RetryEvent } from './index.ts';
import { ServerClock, serverMsOf } from './server-clock.ts';

const newcomer = { username: 'li.wei', password: 'Gr33n-Tea' };

const hourMs = 3_600_000;

/** The Date header shows whole seconds. */
const dateMs = 1_000;

describe('a local clock that is wrong', () => {
  for (const [name, skewMs] of Object.entries({ 'an hour slow': -hourMs, 'an hour fast': hourMs })) {
    test(`by ${name} is corrected by one refused request`, async () => {
      await using bench = await ClientBench.open();
      bench.localMs += skewMs;
      const client = bench.client();
      const { id } = await client.createUser({ username: 'li.wei', password: 'Gr33n-Tea' });
      assert.equal(bench.proxy.seen.length, 2);
      await client.updateUser({ id, nickname: 'Wei' });
      assert.equal(bench.proxy.seen.length, 3);
      // The Date header is from the real clock, which runs ahead of the test's.
      const aheadMs = Date.now() - (bench.localMs - skewMs);
      const wrongMs = client.clockOffsetMs + skewMs;
      assert(wrongMs > -dateMs && wrongMs < aheadMs + dateMs, `${wrongMs} ms, ${aheadMs} ms`);
    });

    test(`by ${name} is corrected once for many simultaneous calls, none of which fails`, async () => {
      await using bench = await ClientBench.open();
      bench.localMs += skewMs;
      const client = bench.client();
      const offsets = new Set<number>();
      const calls = Array.from({ length: 40 }, async (_, number) => {
        await client.batchUpdateUserStores({ username: `rep-${number}` });
        offsets.add(client.clockOffsetMs);
      });
      await Promise.all(calls);
      assert.equal(offsets.size, 1);
      assert.equal(await bench.timesApplied('batch-update-user-stores'), 40);
      assert(bench.proxy.seen.length <= 80, 'a call is signed again at most once');
    });
  }

  test('is corrected again when it is set later', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client();
    for (const change of [0, hourMs, -2 * hourMs, 90_000]) {
      bench.localMs += change;
      await client.batchUpdateUserStores({ username: 'li.wei' });
    }
    assert.equal(bench.proxy.seen.length, 7);
  });

  test('is not corrected by more than a day, and the error says so', async () => {
    await using bench = await ClientBench.open();
    bench.localMs -= 25 * hourMs;
    const client = bench.client();
    await assert.rejects(client.queryUser({ user_id: 1 }), (error) => {
      assert(isFieldrosterError(error, 1012));
      assert.match(error.message, /differs from the server's by more than a day, .*: set it$/);
      return true;
    });
    assert.equal(bench.proxy.seen.length, 1);
    assert.equal(client.clockOffsetMs, 0);
  });

  test('does not follow an answer of another time: no request is signed for a far future', async () => {
    await using bench = await ClientBench.open();
    const headers = { Date: new Date(bench.localMs + 25 * hourMs).toUTCString() };
    const seconds = Math.floor(bench.localMs / 1000) + 25 * 3600;
    const answers = [
      { code: 0, message: '', data: {} },
      { code: 1012, message: `the timestamp is old (the server's time ${seconds})` },
    ];
    for (const answer of answers) {
      bench.proxy.treat = () => ({ status: 200, headers, body: JSON.stringify(answer) });
      const client = bench.client();
      for (const call of [1, 2]) await client.queryUser({ user_id: call }).catch(() => {});
    }
    const local = String(Math.floor(bench.localMs / 1000));
    assert.deepEqual(new Set(bench.proxy.seen.map(({ headers }) => headers.timestamp)), new Set([local]));
  });

  test('is corrected only once per call: a second 1012 is an error', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => {
      bench.server.nowMs += hourMs;
      return 'deliver';
    };
    await assert.rejects(bench.client().queryUser({ user_id: 1 }), (error) =>
      isFieldrosterError(error, 1012),
    );
    assert.equal(bench.proxy.seen.length, 2);
  });
});

describe('a server that was restored from a backup', () => {
  const purgeThrough = async (bench: ClientBench, aheadSeconds: number) => {
    const seconds = Math.floor(bench.server.nowMs / 1000) + timestampSkewSeconds + aheadSeconds;
    const claim = { signature: Buffer.alloc(32), requestId: 'r', expiresAtSeconds: seconds };
    const { claims } = bench.server.database;
    await claims.make(claim);
    await claims.purge(seconds + 1);
  };

  test('gets a write under a new signature after the time that it asked for', async () => {
    await using bench = await ClientBench.open();
    await purgeThrough(bench, 89);
    const waits: number[] = [];
    const controller = new AbortController();
    const hooks = {
      retry: ({ delayMs, error }: RetryEvent) => {
        assert(isFieldrosterError(error, 1012));
        waits.push(delayMs);
        controller.abort(error);
      },
    };
    const creation = bench.client({ hooks }).createUser(newcomer, { signal: controller.signal });
    await assert.rejects(creation, (error) => isFieldrosterError(error, 1012));
    assert.deepEqual(waits, [90_000]);
  });

  test('is not waited for beyond the budget, or if an answer of the write was lost', async () => {
    await using bench = await ClientBench.open();
    await purgeThrough(bench, 89);
    await assert.rejects(bench.client({ retry: { budgetMs: 60_000 } }).createUser(newcomer), (error) =>
      isFieldrosterError(error, 1012),
    );
    bench.proxy.treat = (count) => (count === 2 ? 'swallow' : 'deliver');
    await assert.rejects(bench.client().createUser(newcomer), { name: 'OutcomeUnknownError' });
    assert.equal(bench.proxy.seen.length, 3);
  });

  test('accepts the write once that time is over', async () => {
    await using bench = await ClientBench.open();
    const message = 'the record of requests up to Timestamp 5 was purged';
    const body = JSON.stringify({ code: 1012, message });
    bench.proxy.treat = (count) => {
      if (count > 2) return 'deliver';
      bench.passTime(45_000);
      return { status: 200, headers: { 'Retry-After': '0' }, body };
    };
    assert.equal((await bench.client().createUser(newcomer)).username, 'li.wei');
    assert.equal(new Set(bench.proxy.seen.map(({ headers }) => headers.timestamp)).size, 3);
  });
});

describe('ServerClock', () => {
  const localMs = Date.UTC(2026, 0, 1);
  const dateAhead = (ms: number) => new Date(localMs + ms).toUTCString();

  test('takes the offset only from the first Date header', () => {
    const clock = new ServerClock(() => localMs);
    clock.observe(null);
    clock.observe(dateAhead(30_000));
    clock.observe(dateAhead(90_000));
    assert.equal(clock.offsetMs, 30_500);
    assert.equal(clock.read().seconds, localMs / 1000 + 30);
  });

  test('ignores a difference that latency explains', () => {
    const clock = new ServerClock(() => localMs);
    clock.observe(dateAhead(-4000));
    assert.equal(clock.offsetMs, 0);
  });

  test('lets a refused timestamp override the Date header', () => {
    const clock = new ServerClock(() => localMs);
    clock.observe(dateAhead(hourMs));
    assert.equal(clock.correct(clock.read(), localMs), true);
    clock.observe(dateAhead(hourMs));
    assert.equal(clock.offsetMs, 500);
  });

  test('corrects for the first of simultaneous refusals, and lets the others sign again', () => {
    const clock = new ServerClock(() => localMs);
    const reading = clock.read();
    assert.equal(clock.correct(reading, localMs + hourMs), true);
    assert.equal(clock.correct(reading, localMs - hourMs), true);
    assert.equal(clock.offsetMs, hourMs + 500);
  });

  test('gives up if nothing shows the server’s time', () => {
    const clock = new ServerClock(() => localMs);
    assert.equal(clock.correct(clock.read(), serverMsOf('expired', null)), false);
  });

  test('reads the server’s time from the message of a 1012, otherwise from the Date header', () => {
    const message = "Timestamp 5 is 1700000000 seconds behind the server's time 1700000005; at most 60";
    assert.equal(serverMsOf(message, dateAhead(0)), 1_700_000_005_000);
    assert.equal(serverMsOf('expired', dateAhead(0)), localMs);
  });
});
