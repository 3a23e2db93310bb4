import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { ClientBench } from '../test/client-bench.ts';
import { FieldrosterClient, type ResponseEvent, type RetryEvent, TransportError } from './index.ts';

/** Returns a port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const newcomer = { username: 'li.wei', password: 'Gr33n-Tea' };

describe('a call with details', () => {
  test('has attempts, request id, duration and revision', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = (count) => (count <= 2 ? 'drop' : 'deliver');
    const client = bench.client();
    const created = await client.withDetails.createUser(newcomer);
    assert.equal(created.data.username, 'li.wei');
    assert.equal(created.attempts, 4, 'three to create, one to read back');
    assert.match(created.requestId ?? '', /^[0-9a-f]{12}-/);
    assert.ok(created.durationMs > 0);
    const { data, attempts, revision } = await client.withDetails.queryUser({ username: 'li.wei' });
    assert.deepEqual([data.id, attempts, typeof revision], [created.data.id, 1, 'bigint']);
    await client.updateUser({ id: data.id, phone: '1', if_revision: revision });
    const { revision: later } = await client.withDetails.queryUser({ username: 'li.wei' });
    assert.notEqual(later, revision);
  });

  test('whose lost answer is read back counts the requests and the time of that too', async (t) => {
    await using bench = await ClientBench.open();
    const clock = { ms: performance.now() };
    t.mock.method(performance, 'now', () => clock.ms);
    const ids: (string | undefined)[] = [];
    const hooks = { response: ({ requestId }: ResponseEvent) => void ids.push(requestId) };
    bench.proxy.treat = (count, { method }) => {
      if (method === 'GET') clock.ms += 1000;
      return count === 1 || count === 3 ? 'drop' : 'deliver';
    };
    const { attempts, requestId, durationMs } = await bench
      .client({ hooks })
      .withDetails.createUser(newcomer);
    assert.equal(attempts, 4, 'two to create, two to read back');
    assert.equal(durationMs, 2000);
    assert.deepEqual([ids.length, requestId], [2, ids[1]]);
  });

  test('has the revision from a tag that a compressing proxy changed, and from no other', async () => {
    await using bench = await ClientBench.open();
    const body = JSON.stringify({ code: 0, message: '', data: { id: 7 } });
    const found: (bigint | undefined)[] = [];
    for (const ETag of ['"3"', 'W/"3"', '"3-gzip"', 'W/"3-br"', '3', '"3-"', '"-gzip"', 'w/"3"', '"3"x']) {
      bench.proxy.treat = () => ({ status: 200, headers: { ETag }, body });
      found.push((await bench.client().withDetails.queryUser({ user_id: 7 })).revision);
    }
    assert.deepEqual(found.slice(0, 4), [3n, 3n, 3n, 3n]);
    assert.deepEqual(new Set(found.slice(4)), new Set([undefined]));
  });

  test('of an operation without an answer has no data', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client();
    const { id } = await client.createUser(newcomer);
    const bound = await client.withDetails.bindUserStore({ user_id: id, store_code: 'S001' });
    assert.deepEqual([bound.data, bound.attempts], [undefined, 1]);
  });
});

describe('hooks', () => {
  test('see every request, envelope and retry, and no secret', async () => {
    await using bench = await ClientBench.open();
    const seen: [string, object][] = [];
    const note = (name: string) => (event: object) => void seen.push([name, event]);
    const hooks = { request: note('request'), response: note('response'), retry: note('retry') };
    bench.proxy.treat = (count) => (count === 1 ? { status: 502, body: 'bad gateway' } : 'deliver');
    await bench.client({ hooks }).createUser(newcomer);
    assert.deepEqual(
      seen.map(([name, event]) => [name, (event as { attempt: number }).attempt]),
      [
        ['request', 1],
        ['retry', 1],
        ['request', 2],
        ['response', 2],
      ],
    );
    const retried = seen[1]?.[1] as RetryEvent | undefined;
    assert.ok(retried?.error instanceof TransportError);
    assert.partialDeepStrictEqual(seen[3]?.[1], {
      operation: 'create-user',
      method: 'POST',
      code: 0,
      httpStatus: 200,
    });
    assert.doesNotMatch(JSON.stringify(seen), /Gr33n-Tea|Authorization|cbs:/i);
  });

  test('that throw do not affect calls, and their exception is not lost', async (t) => {
    await using bench = await ClientBench.open();
    const fault = new Error('the hook is broken');
    const uncaught: unknown[] = [];
    t.mock.method(globalThis, 'queueMicrotask', (task: () => void) => {
      try {
        task();
      } catch (error) {
        uncaught.push(error);
      }
    });
    const hooks = {
      response: () => {
        throw fault;
      },
    };
    const { id } = await bench.client({ hooks }).createUser(newcomer);
    assert.equal(typeof id, 'bigint');
    assert.ok(uncaught.includes(fault));
  });
});

describe('retry options of one call', () => {
  test('replace those of the client one by one', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => ({ status: 502, body: '' });
    const client = bench.client({ retry: { attemptsMax: 5 } });
    await assert.rejects(client.queryUser({ username: 'a' }, { retry: { attemptsMax: 2 } }), TransportError);
    assert.equal(bench.proxy.seen.length, 2);
    await assert.rejects(client.queryUser({ username: 'a' }, { retry: { delayMs: 2 } }), TransportError);
    assert.equal(bench.proxy.seen.length, 7);
  });

  test('that no call could work with are refused before anything is sent', async () => {
    await using bench = await ClientBench.open();
    const call = bench.client().queryUser({ username: 'a' }, { retry: { attemptsMax: 0 } });
    await assert.rejects(call, {
      name: 'TypeError',
      message: 'retry.attemptsMax must be a positive number; it is 0',
    });
    assert.equal(bench.proxy.seen.length, 0);
  });
});

describe('a server where nothing listens', () => {
  const credentials = { appId: 'a', appSecret: 'a-secret-of-16-characters' };
  const retry = { delayMs: 1, delayMsMax: 1, attemptsMax: 40 };

  /** Makes a monotonic clock that advances by 100 ms with each retry. */
  function retryClock(t: TestContext) {
    const clock = { ms: performance.now(), retries: 0 };
    t.mock.method(performance, 'now', () => clock.ms);
    const hooks = {
      retry: () => {
        clock.retries += 1;
        clock.ms += 100;
      },
    };
    return { clock, hooks };
  }

  test('ends the first call within two seconds', async (t) => {
    const { clock, hooks } = retryClock(t);
    const url = `http://127.0.0.1:${await closedPort()}`;
    const client = new FieldrosterClient({ url, ...credentials, retry, hooks });
    await assert.rejects(client.queryUser({ username: 'a' }), {
      name: 'TransportError',
      message: 'the server cannot be reached: nothing listens there',
      reach: 'unsent',
    });
    assert.ok(clock.retries > 10 && clock.retries <= 20, `${clock.retries} retries`);
  });

  test('is waited for as long as the budget allows if it was reached before', async (t) => {
    await using bench = await ClientBench.open();
    const { clock, hooks } = retryClock(t);
    const port = await closedPort();
    let reachable = true;
    const fetchOrRefuse = (url: string, init: RequestInit) =>
      fetch(reachable ? url : url.replace(/:\d+/, `:${port}`), init);
    const client = bench.client({ fetch: fetchOrRefuse, retry, hooks });
    await client.createUser(newcomer);
    reachable = false;
    await assert.rejects(client.queryUser({ username: 'a' }), TransportError);
    assert.equal(clock.retries, retry.attemptsMax - 1);
  });
});

describe('the budget of a call', () => {
  for (const [change, ms] of [
    ['back', -60_000],
    ['ahead', 60_000],
  ] as const) {
    test(`is not changed by a local clock that is set ${change}`, async (t) => {
      await using bench = await ClientBench.open();
      bench.proxy.treat = (count) => {
        bench.localMs += ms;
        return count <= 3 ? 'drop' : 'deliver';
      };
      const clock = { ms: performance.now() };
      t.mock.method(performance, 'now', () => clock.ms);
      const client = bench.client({ retry: { budgetMs: 100 } });
      await assert.rejects(client.queryUser({ username: 'a' }), { code: 1101 });
      const before = bench.proxy.seen.length;
      bench.proxy.treat = () => {
        bench.localMs += ms;
        clock.ms += 40;
        return 'drop';
      };
      await assert.rejects(client.queryUser({ username: 'a' }), TransportError);
      assert.equal(bench.proxy.seen.length - before, 3, 'the third attempt is the last within 100 ms');
    });
  }
});

describe('ids as text', () => {
  test('survive JSON.stringify, and are accepted in queries and bodies', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client({ ids: 'text' });
    const { id } = await client.createUser(newcomer);
    assert.match(id, /^\d+$/);
    const user = await client.queryUser({ user_id: id });
    assert.equal(JSON.parse(JSON.stringify(user)).id, id);
    await client.bindUserStore({ user_id: id, store_code: 'S001' });
    await client.batchUsers({ users: [{ username: 'li.wei', role_id: '0' }] });
    assert.deepEqual((await client.queryUserStores({ user_id: id })).stores.length, 1);
  });

  test('hold every int64', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client({ ids: 'text' });
    await assert.rejects(
      client.bindUserRole({ user_id: '9223372036854775807', role_id: '1' }),
      /9223372036854775807/,
    );
  });

  test('that are not integers are refused by name before anything is sent', async () => {
    await using bench = await ClientBench.open();
    const client = bench.client();
    const users = [{ username: 'a', role_id: 'seven' as `${bigint}` }];
    await assert.rejects(client.batchUsers({ users }), {
      name: 'TypeError',
      message: 'users.0.role_id is "seven", not an integer',
    });
    assert.equal(bench.proxy.seen.length, 0);
  });
});
