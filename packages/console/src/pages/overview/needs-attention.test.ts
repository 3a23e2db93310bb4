import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsAttention } from './needs-attention.ts';

const nowMs = Date.now();

const minutesAgo = (minutes: number) => ({ at: nowMs - 60_000 * minutes, request_id: 'r' });

const wrongSignature = {
  app_id: 'till',
  revoked: false,
  code: 1014,
  calls: 1,
  first_at: 0,
  last: minutesAgo(10),
};

test('an application that failed in the last hour for a reason of its own needs attention', () => {
  assert.equal(needsAttention(wrongSignature), true);
  assert.equal(needsAttention({ ...wrongSignature, last: minutesAgo(70) }), false);
  assert.equal(needsAttention({ ...wrongSignature, code: 1101 }), false);
  assert.equal(needsAttention({ ...wrongSignature, app_id: '' }), false, 'strangers fail all the time');
});

test('wrong passwords of a user need no attention, but a rate limit does', () => {
  const tooMany = { ...wrongSignature, code: 1429 };
  assert.equal(needsAttention({ ...tooMany, operation: 'check-password' }), false);
  assert.equal(needsAttention({ ...tooMany, operation: 'query-user' }), true);
  assert.equal(needsAttention(tooMany), true, 'several operations');
  assert.equal(needsAttention({ ...tooMany, calls: 0 }), false, 'not counted yet');
});

test('a revoked application needs no attention', () => {
  assert.equal(needsAttention({ ...wrongSignature, revoked: true }), false);
});
