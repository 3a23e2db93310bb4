import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeLargeAnswer } from './encode-large-answer.ts';

test('an answer of many characters is sent in pieces, unless it has an ETag', async () => {
  const body = `{"code":0,"message":"${'店'.repeat(1024 * 1024)}"}`;
  const large = await encodeLargeAnswer({ body, etag: undefined });
  assert.ok(!('body' in large) && large.length > 1);
  assert.equal(Buffer.concat(large).toString(), body);
  for (const answer of [
    { body, etag: '"1"' },
    { body: '{}', etag: undefined },
  ])
    assert.equal(encodeLargeAnswer(answer), answer);
});

test('the event loop turns between the making of a large answer and its encoding', async () => {
  const body = 'x'.repeat(1024 * 1024 + 1);
  // All but the first are encoded within one slice of time.
  for (let times = 0; times < 20; times += 1) {
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    const encoding = encodeLargeAnswer({ body, etag: undefined });
    assert.ok(encoding instanceof Promise);
    await encoding;
    assert.ok(hasTurned);
  }
});
