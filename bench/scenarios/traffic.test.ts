import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchTraffic, get, neverRepeated, reads, writes } from './traffic.ts';

test('no read of neverRepeated equals another one in any round', () => {
  const traffic = neverRepeated(() => reads(() => get('/users', { limit: 50 })))(0);
  const targets = [...traffic.requests(50), ...traffic.requests(50)].map((request) => request.target);
  assert.equal(new Set(targets).size, 100);
  for (const each of targets) {
    const { pathname, searchParams } = new URL(each, 'http://localhost');
    assert.equal(pathname, '/users');
    assert.deepEqual([...searchParams.keys()], ['limit'], 'lists refuse parameters that they do not know');
    assert.equal(Number(searchParams.get('limit')), 50);
  }
});

test('neverRepeated adds a parameter that GET /user ignores', () => {
  const traffic = neverRepeated(() => reads(() => get('/user', { user_id: 7 })))(0);
  const targets = [...traffic.requests(2)].map(({ target }) => target);
  assert.deepEqual(targets, ['/user?user_id=7&unheard=1', '/user?user_id=7&unheard=2']);
});

test('no two rounds send the same write', () => {
  const traffic = writes((index) => ({ method: 'POST', target: '/user', body: String(index) }));
  const bodies = [...traffic.requests(3), ...traffic.requests(3)].map(({ body }) => body);
  assert.deepEqual(bodies, ['0', '1', '2', '3', '4', '5']);
});

const batchUsers = 1_000;

interface Entry {
  readonly username: string;
  readonly store_codes: readonly string[];
}

test('a batch names each user once, and gives each other stores than the previous batch', () => {
  const batches = [...batchTraffic(batchUsers, batchUsers).requests(3)].map(
    ({ body = '' }) => JSON.parse(body).users,
  );
  const seen = new Map<string, readonly string[]>();
  for (const batch of batches as Entry[][]) {
    assert.equal(new Set(batch.map(({ username }) => username)).size, batchUsers);
    for (const { username, store_codes } of batch) {
      assert.equal(new Set(store_codes).size, 10);
      assert.ok(!store_codes.some((code) => seen.get(username)?.includes(code)));
      seen.set(username, store_codes);
    }
  }
});
