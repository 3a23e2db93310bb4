import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailedCall } from '../pipeline/failures/failed-call.ts';
import { ApiError } from './api-error.ts';
import { BusyError } from './busy-error.ts';

test('refusals have no stack, and leave that of later errors alone', () => {
  const cause = new Error('the cause');
  for (const expected of [new ApiError(1001, 'a'), new FailedCall(cause, {}), new BusyError('b', { cause })])
    assert.doesNotMatch(String(expected.stack), /\n\s+at /);
  assert.match(String(cause.stack), /\n\s+at /);
  assert.match(String(new Error('later').stack), /\n\s+at /);
});
