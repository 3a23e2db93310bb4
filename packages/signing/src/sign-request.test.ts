import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { MalformedQueryError } from './canonical-resource.ts';
import { type RequestToSign, signRequest } from './sign-request.ts';
import { secretKey } from './signature.ts';

const request = {
  appId: 'app',
  appSecret: 'secret',
  method: 'GET',
  target: '/user?user_id=1',
  timestampSeconds: 1700000000,
  nonce: 'nonce',
} satisfies RequestToSign;

describe('signRequest', () => {
  test('signs with the current time in whole seconds by default', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1700000000999 });
    const { headers } = signRequest({ ...request, timestampSeconds: undefined });
    assert.equal(headers.Timestamp, '1700000000');
  });

  test('signs with a new random UUID as the nonce by default', () => {
    const nonces = [1, 2].map(() => signRequest({ ...request, nonce: undefined }).headers.Nonce);
    for (const nonce of nonces) assert.match(nonce, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f-]{17}$/);
    assert.notEqual(nonces[0], nonces[1]);
  });

  test('signs a string body as its UTF-8 bytes', () => {
    const asText = signRequest({ ...request, method: 'POST', body: '李伟' });
    const asBytes = signRequest({ ...request, method: 'POST', body: new TextEncoder().encode('李伟') });
    assert.deepEqual(asText, asBytes);
    assert.equal(asText.contentMd5, createHash('md5').update('李伟').digest('base64'));
  });

  test('signs the Content-MD5 of every POST and of every body by default', () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('base64');
    for (const [change, expected] of [
      [{ method: 'GET' }, undefined],
      [{ method: 'GET', body: 'text' }, md5('text')],
      [{ method: 'POST' }, md5('')],
      [{ method: 'POST', body: 'text', omitContentMd5: true }, undefined],
      [{ method: 'POST', body: 'text', omitContentMd5: false }, md5('text')],
    ] as const) {
      const { contentMd5, stringToSign } = signRequest({ ...request, ...change });
      assert.equal(contentMd5, expected);
      const bodyLine = expected === undefined ? '' : `${expected}\n`;
      assert.equal(stringToSign, `${change.method}\n${bodyLine}1700000000\nnonce\n/user?user_id=1`);
    }
  });

  test('signs with a nonce of one character', () => {
    assert.equal(signRequest({ ...request, nonce: 'n' }).headers.Nonce, 'n');
  });

  test('signs with a new random nonce on pages without randomUUID', (t) => {
    Object.defineProperty(globalThis.crypto, 'randomUUID', { value: undefined, configurable: true });
    t.after(() => Reflect.deleteProperty(globalThis.crypto, 'randomUUID'));
    const nonces = Array.from(
      { length: 20 },
      () => signRequest({ ...request, nonce: undefined }).headers.Nonce,
    );
    // Twenty nonces, so that some have a byte below 16, which needs a leading zero.
    for (const nonce of nonces) assert.match(nonce, /^[0-9a-f]{32}$/);
    assert.equal(new Set(nonces).size, nonces.length);
  });

  test('reads plus as a space by default', () => {
    const target = '/user?username=a+b';
    assert.equal(signRequest({ ...request, target }).canonicalResource, '/user?username=a b');
    const literal = signRequest({ ...request, target, plus: 'literal' });
    assert.equal(literal.canonicalResource, '/user?username=a+b');
  });

  test('accepts a prepared key instead of a secret', () => {
    const prepared = signRequest({ ...request, appSecret: secretKey('secret') });
    assert.deepEqual(prepared, signRequest(request));
  });

  const mistakes: Record<string, Partial<RequestToSign>> = {
    'an empty appId': { appId: '' },
    'an appId with a colon': { appId: 'a:b' },
    'an appId with white space': { appId: 'a b' },
    'an empty appSecret': { appSecret: '' },
    'an empty method': { method: '' },
    'a method that is not a word': { method: 'GET /' },
    'a method whose upper case is another letter': { method: 'lınk' },
    'a URL for a target': { target: 'https://example.com/user' },
    'a target without its slash': { target: 'user' },
    'a target with a space': { target: '/user?username=li wei' },
    'a fraction of a second': { timestampSeconds: 1700000000.5 },
    'a negative time': { timestampSeconds: -1 },
    'no number for a time': { timestampSeconds: Number.NaN },
    'a time of 17 digits': { timestampSeconds: 1e16 },
    'an empty nonce': { nonce: '' },
    'a nonce of 37 characters': { nonce: 'x'.repeat(37) },
    'a nonce with a line feed': { nonce: 'a\nb' },
    'a nonce with white space at its end': { nonce: 'a ' },
  };
  for (const [mistake, change] of Object.entries(mistakes)) {
    test(`refuses ${mistake} as a programmer's mistake`, () => {
      assert.throws(() => signRequest({ ...request, ...change }), TypeError);
    });
  }

  test('refuses an undecodable query', () => {
    assert.throws(() => signRequest({ ...request, target: '/user?a=%' }), MalformedQueryError);
  });

  test('reveals no part of the secret when it refuses', () => {
    assert.throws(
      () => signRequest({ ...request, appSecret: 'hunter2', nonce: '' }),
      (error: Error) => !error.message.includes('hunter2'),
    );
  });
});
