import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GivenStores } from './payloads.ts';
import { batchTraffic, get, neverRepeated, reads } from './traffic.ts';

test('no read of neverRepeated equals another one', () => {
  const traffic = neverRepeated(() => reads(() => get('/users', { role_id: 1, limit: 50 })))(0);
  const targets = Array.from({ length: 100 }, (_, index) => traffic.request(index).target);
  assert.equal(new Set(targets).size, 100);
  for (const each of targets) {
    const { pathname, searchParams } = new URL(each, 'http://localhost');
    assert.equal(pathname, '/users');
    assert.deepEqual([...searchParams.keys()], ['role_id', 'limit'], 'lists refuse unknown parameters');
    assert.equal(Number(searchParams.get('limit')), 50);
  }
});

test('neverRepeated adds a parameter that GET /user ignores', () => {
  const traffic = neverRepeated(() => reads(() => get('/user', { user_id: 7 })))(0);
  assert.deepEqual(
    [1, 2].map((index) => traffic.request(index).target),
    ['/user?user_id=7&unheard=1', '/user?user_id=7&unheard=2'],
  );
});

test('a batch names each user once, and gives each user stores other than in the previous batch', () => {
  const users = 1_000;
  const traffic = batchTraffic(users, users);
  const seen = new Map<string, readonly string[]>();
  for (const index of [0, 1, 2]) {
    const { users: batch }: { users: GivenStores[] } = JSON.parse(traffic.request(index).body ?? '');
    assert.equal(new Set(batch.map(({ username }) => username)).size, users);
    for (const { username, store_codes } of batch) {
      assert.equal(new Set(store_codes).size, 10);
      assert.ok(!store_codes.some((code) => seen.get(username)?.includes(code)));
      seen.set(username, store_codes);
    }
  }
});
