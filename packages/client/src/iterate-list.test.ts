import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClientBench } from '../test/client-bench.ts';
import type { FieldrosterClient } from './index.ts';

class Cancelled extends Error {}

/** Creates the users a00, a01, a02 and so on; a batch creates its users in the order of their names. */
async function openWithUsers(count: number): Promise<ClientBench> {
  const bench = await ClientBench.open();
  const users = usernames(count).map((username) => ({ username, store_codes: ['S001'], role_id: 7 }));
  const { created } = await bench.client().batchUsers({ users });
  assert.equal(created, count);
  bench.proxy.seen.length = 0;
  return bench;
}

function usernames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `a${String(index).padStart(2, '0')}`);
}

async function collect<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const collected: Entry[] = [];
  for await (const entry of entries) collected.push(entry);
  return collected;
}

async function namesOf(entries: AsyncIterable<{ readonly username: string }>): Promise<string[]> {
  return (await collect(entries)).map(({ username }) => username);
}

const filter = { role_id: 7n } as const;

describe('iterating over a list', () => {
  test('yields every entry once, in order, over any number of pages', async () => {
    await using bench = await openWithUsers(23);
    const client = bench.client();
    for (const [limit, requests] of [
      [1, 23],
      [5, 5],
      [23, 1],
      [500, 1],
    ] as const) {
      bench.proxy.seen.length = 0;
      assert.deepEqual(await namesOf(client.users({ ...filter, limit })), usernames(23));
      assert(Math.abs(bench.proxy.seen.length - requests) <= 1, `${bench.proxy.seen.length} requests`);
    }
  });

  test('requests the largest pages by default', async () => {
    await using bench = await openWithUsers(1);
    await namesOf(bench.client().users(filter));
    assert.match(bench.proxy.seen[0]?.target ?? '', /limit=500/);
  });

  test('continues past an empty page, and ends with the empty cursor', async () => {
    await using bench = await ClientBench.open();
    const pages = [
      { users: [], next_cursor: 'b' },
      { users: [{ id: 1, username: 'a00' }], next_cursor: 'c' },
      { users: [], next_cursor: '' },
    ];
    bench.proxy.treat = (count) => ({
      status: 200,
      body: JSON.stringify({ code: 0, message: '', data: pages[count - 1] }),
    });
    assert.deepEqual(await namesOf(bench.client().storeUsers({ store_code: 'S001' })), ['a00']);
    assert.deepEqual(
      bench.proxy.seen.map(({ target }) => /cursor=(.)/.exec(target)?.[1]),
      [undefined, 'b', 'c'],
    );
  });

  test('sends the same filters with every page', async () => {
    await using bench = await openWithUsers(4);
    await bench.client().batchUsers({ users: [{ username: 'unbound' }] });
    assert.deepEqual(await namesOf(bench.client().users({ unbound: 'role', limit: 1 })), ['unbound']);
    assert.deepEqual(await namesOf(bench.client().users({ ...filter, limit: 1 })), usernames(4));
  });

  test('reads nothing before iteration starts, and no further page once it stops', async () => {
    await using bench = await openWithUsers(6);
    const entries = bench.client().users({ ...filter, limit: 2 });
    assert.equal(bench.proxy.seen.length, 0);
    for await (const { username } of entries) if (username === 'a02') break;
    assert.equal(bench.proxy.seen.length, 2);
  });

  test('misses and repeats nobody during concurrent writes', async () => {
    await using bench = await openWithUsers(9);
    const client = bench.client();
    const seen: string[] = [];
    for await (const { username } of client.users({ ...filter, limit: 3 })) {
      seen.push(username);
      if (username === 'a02') {
        await client.deleteUser({ username: 'a00' });
        await client.deleteUser({ username: 'a04' });
        await client.batchUsers({ users: [{ username: 'late', role_id: 7 }] });
      }
    }
    assert.deepEqual(seen, [...usernames(9).filter((name) => name !== 'a04'), 'late']);
  });

  test('retries a page whose answer was lost', async () => {
    await using bench = await openWithUsers(5);
    bench.proxy.treat = (count) => (count % 2 === 1 ? 'drop' : 'deliver');
    assert.deepEqual(await namesOf(bench.client().users({ ...filter, limit: 2 })), usernames(5));
  });

  test('ends with an error at a page that is not the server’s, and does not ask forever', async () => {
    await using bench = await ClientBench.open();
    const users = [{ id: 1, username: 'a00' }];
    for (const page of [
      { users },
      { users, next_cursor: null },
      { users, next_cursor: 'same' },
      { next_cursor: '' },
      { users: {}, next_cursor: '' },
      {},
    ]) {
      bench.proxy.seen.length = 0;
      const answer = { status: 200, body: JSON.stringify({ code: 0, message: '', data: page }) };
      bench.proxy.treat = (count) => (count > 2 ? 'swallow' : answer);
      await assert.rejects(namesOf(bench.client().users(filter)), {
        name: 'TransportError',
        reach: 'misdirected',
        operation: 'list-users',
        message: /^the answer is not a page of the server: /,
      });
    }
  });

  test('throws the refusal of a page', async () => {
    await using bench = await ClientBench.open();
    await assert.rejects(collect(bench.client().storeUsers({ store_code: 'nowhere' })), {
      code: 1401,
    });
  });

  test('works twice at once with one client', async () => {
    await using bench = await openWithUsers(7);
    const client = bench.client();
    const lists = await Promise.all([2, 3].map((limit) => namesOf(client.users({ ...filter, limit }))));
    assert.deepEqual(lists, [usernames(7), usernames(7)]);
  });

  test('returns ids of the client’s type', async () => {
    await using bench = await openWithUsers(1);
    const [exact] = await collect(bench.client().users(filter));
    const [rounded] = await collect(bench.client({ ids: 'number' }).users(filter));
    assert.equal(typeof exact?.id, 'bigint');
    assert.equal(rounded?.id, Number(exact?.id));
  });
});

describe('an abort', () => {
  test('in the middle of a page ends the list with its reason, even if entries have arrived', async () => {
    await using bench = await openWithUsers(6);
    const controller = new AbortController();
    const reason = new Cancelled();
    const seen: string[] = [];
    const reading = async () => {
      for await (const { username } of bench.client().users(filter, { signal: controller.signal })) {
        seen.push(username);
        if (username === 'a03') controller.abort(reason);
      }
    };
    await assert.rejects(reading, reason);
    assert.deepEqual(seen, usernames(4));
  });

  test('while a page is loading ends the list without waiting for it', async () => {
    await using bench = await openWithUsers(6);
    const controller = new AbortController();
    const reason = new Cancelled();
    bench.proxy.treat = (count) => {
      if (count === 1) return 'deliver';
      queueMicrotask(() => controller.abort(reason));
      return 'hold';
    };
    const reading = collect(bench.client().users({ ...filter, limit: 2 }, { signal: controller.signal }));
    await assert.rejects(reading, reason);
    assert.equal(bench.proxy.seen.length, 2);
  });
});

test('every list of the directory can be iterated', async () => {
  await using bench = await openWithUsers(3);
  const client = bench.client();
  const count = async (entries: AsyncIterable<unknown>) => (await collect(entries)).length;
  const onePage = { limit: 500 };
  assert.equal(await count(client.roles({ limit: 1 })), (await client.listRoles(onePage)).roles.length);
  assert.equal(await count(client.orgs({ limit: 1 })), (await client.listOrgs(onePage)).orgs.length);
  assert.equal(await count(client.stores({ limit: 2 })), (await client.listStores(onePage)).stores.length);
  assert.deepEqual(await namesOf(client.storeUsers({ store_code: 'S001', limit: 2 })), usernames(3));
  const operations = (await collect(client.auditEvents({ limit: 1 }))).map(({ operation }) => operation);
  assert(operations.includes('batch-users'));
  assert.equal(operations.length, (await client.listAuditEvents(onePage)).events.length);
});

/** Checked only by the compiler: an entry has the type of the page's entries. */
export async function typesOfEntries(client: FieldrosterClient, rounded: FieldrosterClient<'number'>) {
  for await (const { id } of client.users()) id satisfies bigint;
  for await (const { revision } of rounded.stores()) revision satisfies number;
}
