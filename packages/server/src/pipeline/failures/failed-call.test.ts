import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailedCall } from './failed-call.ts';

test('a failure that passes several steps keeps its first cause and what each step knew about the caller', () => {
  const thrown = new Error('the database is locked');
  const failed = new FailedCall(new FailedCall(thrown, { usernameHash: 'h' }), { appId: 'app' });
  assert.equal(failed.cause, thrown);
  assert.deepEqual(failed.caller, { usernameHash: 'h', appId: 'app' });
});

test('an error from outside the steps has no information about the caller', () => {
  const thrown = new TypeError('a mistake');
  assert.deepEqual(FailedCall.of(thrown), { cause: thrown, caller: {} });
});
