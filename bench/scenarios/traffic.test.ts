import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchTraffic, bindingPair, neverRepeated, reads, target, writes } from './traffic.ts';

const bind = (index: number) => ({ user_id: index, role_id: 7 });

test('each binding that surely took effect is unbound once', () => {
  const [binding, unbinding] = bindingPair('/user/role', bind);
  assert.equal([...binding.requests(500)].length, 500);
  binding.answered?.(100);
  const targets = [...unbinding.requests(1_000)].map(({ target }) => target);
  assert.equal(targets.length, 100 - binding.connections);
  assert.equal(targets.at(-1), `/user/role?user_id=${99 - binding.connections}&role_id=7`);
  assert.throws(() => unbinding.requests(1), /nothing is bound/);
});

test('a binding that a later one replaced is not unbound', () => {
  const users = 90;
  const [binding, unbinding] = bindingPair('/user/role', (index) => ({ user_id: index % users }), users);
  binding.answered?.(500);
  const targets = [...unbinding.requests(1_000)].map(({ target }) => target);
  // The requests from 442 to 467: those before were replaced, perhaps by one that was sent and not answered.
  assert.equal(targets.length, users - 2 * binding.connections);
  assert.equal(targets[0], `/user/role?user_id=${(500 + binding.connections - users) % users}`);
});

test('no round repeats a binding of an earlier one', () => {
  const [binding, unbinding] = bindingPair('/user/role', bind);
  const bodies = [...binding.requests(50), ...binding.requests(50)].map(({ body }) => body);
  assert.equal(new Set(bodies).size, 100);
  binding.answered?.(50);
  const [first] = [...unbinding.requests(1)];
  assert.equal(first?.target, '/user/role?user_id=50&role_id=7');
});

test('no read of neverRepeated equals another one in any round', () => {
  const traffic = neverRepeated(reads(() => target('GET', '/users', { limit: 50 })));
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
  const traffic = neverRepeated(reads(() => target('GET', '/user', { user_id: 7 })));
  assert.deepEqual(
    [...traffic.requests(2)].map((request) => request.target),
    ['/user?user_id=7&unheard=1', '/user?user_id=7&unheard=2'],
  );
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

test('a batch names each user once, and gives each of them other stores than the batch before', () => {
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
