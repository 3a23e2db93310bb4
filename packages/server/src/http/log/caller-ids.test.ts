import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerIds } from './caller-ids.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a caller may send either id without the other, or none', () => {
  assert.deepEqual(callerIds({ 'x-request-id': 'order-7' }), { caller_request_id: 'order-7' });
  assert.deepEqual(callerIds({ traceparent }), { traceparent });
  assert.deepEqual(callerIds({}), {});
});
