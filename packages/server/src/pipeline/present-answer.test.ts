import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WithRevision } from '../operations/with-revision.ts';
import { presentAnswer } from './present-answer.ts';

test('an answer is the envelope around the data, with every digit of its ids', () => {
  const stores = [{ code: 'S"1', name: 'Größe 🙂', address: '' }];
  assert.deepEqual(presentAnswer('queryUserStores', { stores }), {
    body: '{"code":0,"message":"","data":{"stores":[{"code":"S\\"1","name":"Größe 🙂","address":""}]}}',
    etag: undefined,
  });
  const roles = [{ id: 2n ** 63n - 1n, name: 'n', system_id: 0n, order: 1, description: '' }];
  assert.match(presentAnswer('queryUserRole', { user_id: 5n, roles }).body, /"id":9223372036854775807,/);
});

test('a handler that forgets its data is our bug, not an empty answer', () => {
  assert.throws(() => presentAnswer('queryUserStores', undefined), {
    name: 'TypeError',
    message: 'the handler of query-user-stores has returned no data',
  });
});

test('the answer of an operation without data has only its message', () => {
  const { body, etag } = presentAnswer('bindUserStore', new WithRevision(undefined, 3n));
  const envelope = JSON.parse(body) as Record<string, unknown>;
  assert.deepEqual(Object.keys(envelope), ['code', 'message']);
  assert.equal(envelope.code, 0);
  assert.equal(etag, '"3"');
});
