import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signRequest } from './sign-request.ts';
import { type ReceivedHead, type VerifyOptions, verifyHead, verifyRequest } from './verify-request.ts';

const now = 1700000000;

function head(change: Partial<ReceivedHead> = {}): ReceivedHead {
  const target = '/user?username=a';
  const { headers } = signRequest({
    appId: 'app',
    appSecret: 'secret',
    method: 'GET',
    target,
    timestampSeconds: now,
    nonce: 'nonce',
  });
  const { Authorization: authorization, Timestamp: timestamp, Nonce: nonce } = headers;
  return { method: 'GET', target, authorization, timestamp, nonce, ...change };
}

const options: VerifyOptions = {
  findSecrets: (appId) => (appId === 'app' ? ['secret'] : undefined),
  nowSeconds: now,
};

const accepted = { outcome: 'accepted-head', appId: 'app' };

test('a well-formed head is not refused, with any signature and query', () => {
  assert.deepEqual(verifyHead(head(), options), accepted);
  for (const change of [{ authorization: 'cbs:app:wrong' }, { target: '/user?username=%zz' }]) {
    assert.deepEqual(verifyHead(head(change), options), accepted);
  }
});

test('a head is refused for the same reasons as its request', () => {
  const cases: readonly (readonly [outcome: string, Partial<ReceivedHead>, Partial<VerifyOptions>?])[] = [
    ['malformed-header', { authorization: undefined }],
    ['malformed-header', { authorization: 'cbs:app' }],
    ['malformed-header', { timestamp: 'soon' }],
    ['malformed-header', { nonce: 'n'.repeat(37) }],
    ['malformed-header', { nonce: 'nonce' }, { nonceCharactersMax: 4 }],
    ['unknown-application', { authorization: 'cbs:nobody:x' }],
    ['unknown-application', {}, { findSecrets: () => [] }],
    ['unknown-application', { authorization: 'cbs:nobody:x' }, { nowSeconds: now + 61 }],
    ['expired', {}, { nowSeconds: now + 61 }],
    ['expired', {}, { nowSeconds: now - 6, timestampSkewSeconds: 5 }],
  ];
  for (const [outcome, change, others] of cases) {
    const received = head(change);
    const refusal = verifyHead(received, { ...options, ...others });
    assert.equal(refusal.outcome, outcome);
    assert.deepEqual(
      verifyRequest({ ...received, body: new Uint8Array() }, { ...options, ...others }),
      refusal,
    );
  }
});

test('the limits of a head may be raised', () => {
  const nonce = 'n'.repeat(40);
  assert.deepEqual(verifyHead(head({ nonce }), { ...options, nonceCharactersMax: 40 }), accepted);
  const late = { ...options, nowSeconds: now + 100, timestampSkewSeconds: 100 };
  assert.deepEqual(verifyHead(head(), late), accepted);
});
