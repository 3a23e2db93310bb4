import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchTraffic, singleTraffic } from './batch-traffic.ts';

const users = 1_000;

interface Entry {
  readonly username: string;
  readonly store_codes: readonly string[];
}

test('a batch names each user once, and gives each other stores than the batch before', () => {
  const batches = [...batchTraffic(users, users).requests(3)].map(({ body = '' }) => JSON.parse(body).users);
  const seen = new Map<string, readonly string[]>();
  for (const batch of batches as Entry[][]) {
    assert.equal(new Set(batch.map(({ username }) => username)).size, users);
    for (const { username, store_codes } of batch) {
      assert.equal(new Set(store_codes).size, 10);
      assert.ok(!store_codes.some((code) => seen.get(username)?.includes(code)));
      seen.set(username, store_codes);
    }
  }
});

test('single calls make the same changes as a batch', () => {
  const [batch] = [...batchTraffic(users, 20).requests(1)];
  const singles = [...singleTraffic(users).requests(20)].map(({ body = '' }) => JSON.parse(body));
  assert.deepEqual(JSON.parse(batch?.body ?? '').users, singles);
});
