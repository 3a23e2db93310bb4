import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClientBench } from '../test/client-bench.ts';
import { FieldrosterClient } from './index.ts';

class Cancelled extends Error {}

describe('a signal that is aborted', () => {
  test('before the call keeps it from being sent', async () => {
    await using bench = await ClientBench.open();
    const reason = new Cancelled();
    const call = bench.client().queryUser({ user_id: 1 }, { signal: AbortSignal.abort(reason) });
    await assert.rejects(call, reason);
    assert.equal(bench.proxy.seen.length, 0);
  });

  test('while waiting for an answer ends the call with its reason', async () => {
    await using bench = await ClientBench.open();
    const controller = new AbortController();
    const reason = new Cancelled();
    bench.proxy.treat = () => {
      controller.abort(reason);
      return 'hold';
    };
    const call = bench.client().createUser({ username: 'a', password: 'b' }, { signal: controller.signal });
    await assert.rejects(call, reason);
    assert.equal(bench.proxy.seen.length, 1);
  });

  test('between two attempts ends the call without waiting', async () => {
    await using bench = await ClientBench.open();
    const controller = new AbortController();
    const reason = new Cancelled();
    const body = JSON.stringify({ code: 1503, message: 'later' });
    bench.proxy.treat = () => ({ status: 503, headers: { 'Retry-After': '50' }, body });
    // The hook is called right before the wait.
    const hooks = { retry: () => setImmediate(() => controller.abort(reason)) };
    const call = bench
      .client({ hooks })
      .createUser({ username: 'a', password: 'b' }, { signal: controller.signal });
    await assert.rejects(call, reason);
    assert.equal(bench.proxy.seen.length, 1);
  });

  test('while a lost answer is read back ends the call with its reason', async () => {
    await using bench = await ClientBench.open();
    const controller = new AbortController();
    const reason = new Cancelled();
    bench.proxy.treat = (count, { method }) => {
      if (count === 1) return 'drop';
      if (method === 'GET') controller.abort(reason);
      return method === 'GET' ? 'hold' : 'deliver';
    };
    const call = bench.client().createUser({ username: 'a', password: 'b' }, { signal: controller.signal });
    await assert.rejects(call, reason);
  });

  test('leaves no listener behind', async () => {
    await using bench = await ClientBench.open();
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    bench.proxy.treat = (count) => (count === 1 ? 'drop' : 'deliver');
    await bench.client().batchUpdateUserStores({ username: 'a' }, { signal });
    assert.equal(listeners, 0);
  });
});

describe('a time-out', () => {
  test('of the client bounds every attempt', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => 'hold';
    let attempts = 0;
    const client = bench.client({
      timeoutMs: 20,
      retry: { attemptsMax: 2 },
      fetch: (url, init) => {
        attempts += 1;
        return fetch(url, init);
      },
    });
    await assert.rejects(client.queryUser({ user_id: 1 }), { message: /no answer came within 20 ms/ });
    assert.equal(attempts, 2);
  });

  test('of a call replaces that of the client', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => 'hold';
    const client = bench.client({ retry: { attemptsMax: 1 } });
    const call = client.queryUser({ user_id: 1 }, { timeoutMs: 30 });
    await assert.rejects(call, { message: /no answer came within 30 ms/ });
  });

  test('of a write that was sent leaves its outcome unknown', async () => {
    await using bench = await ClientBench.open();
    bench.proxy.treat = () => 'hold';
    const client = bench.client({ timeoutMs: 300, retry: { attemptsMax: 1 } });
    await assert.rejects(client.batchUpdateUserStores({ username: 'a' }), { name: 'OutcomeUnknownError' });
  });

  describe('that nobody set', () => {
    const users = (count: number, user: object = {}) =>
      Array.from({ length: count }, (_, index) => ({ username: `user-${index}`, ...user }));

    for (const [what, waitMs, call] of [
      ['a small call', 15_000, (client) => client.queryUser({ user_id: 1 })],
      ['a batch of one user', 15_000, (client) => client.batchUsers({ users: users(1) })],
      ['a forced removal', 115_000, (client) => client.deleteRole({ id: 1, force: true })],
      ['another removal', 15_000, (client) => client.deleteRole({ id: 1 })],
      [
        'a thousand passwords',
        183_000,
        (client) => client.batchUsers({ users: users(1000, { password: 'p' }) }),
      ],
      [
        'three bytes for each character',
        83_000,
        (client) => client.batchUsers({ users: [{ username: 'a', ext_info: '门'.repeat(5500) }] }),
      ],
      [
        'just under 16 KiB',
        15_000,
        (client) => client.batchUsers({ users: [{ username: 'a', ext_info: 'x'.repeat(16_300) }] }),
      ],
      [
        'two MiB and a bit',
        99_000,
        (client) => client.batchUsers({ users: users(2100, { ext_info: 'x'.repeat(1000) }) }),
      ],
    ] as const satisfies readonly (readonly [
      string,
      number,
      (client: FieldrosterClient) => Promise<unknown>,
    ])[]) {
      test(`depends on what the call carries: ${what}`, async (t) => {
        t.mock.timers.enable({ apis: ['setTimeout'] });
        let ended = false;
        const client = new FieldrosterClient({
          url: 'http://127.0.0.1:9',
          appId: 'app',
          appSecret: 'not-a-secret',
          retry: { attemptsMax: 1 },
          fetch: (_, { signal }) =>
            new Promise((_resolve, reject) => {
              signal?.addEventListener('abort', () => {
                ended = true;
                reject(signal.reason);
              });
            }),
        });
        const outcome = assert.rejects(call(client), {
          message: new RegExp(`no answer came within ${waitMs} ms`),
        });
        t.mock.timers.tick(waitMs - 1);
        assert.equal(ended, false);
        t.mock.timers.tick(1);
        await outcome;
      });
    }
  });
});
