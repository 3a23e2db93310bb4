import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretKey, verifyRequest } from '@fieldroster/signing';
import fc from 'fast-check';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';

const draft = {
  method: 'GET',
  origin: 'http://127.0.0.1:8080',
  path: '/api/user',
  query: [],
  body: undefined,
  appId: 'app',
  appSecret: 'secret',
};

function verify({ method, url, headers, body }: PreparedRequest): string {
  const { pathname, search } = new URL(url);
  const received = {
    method,
    target: pathname + search,
    body: new TextEncoder().encode(body ?? ''),
    authorization: headers.Authorization,
    timestamp: headers.Timestamp,
    nonce: headers.Nonce,
  };
  const nowSeconds = Number(headers.Timestamp);
  return verifyRequest(received, { findSecrets: () => [secretKey('secret')], nowSeconds }).outcome;
}

test('any query and any body are signed as sent', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const name = text.filter((text) => !/[=&\p{Cc}]/u.test(text));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, text), { maxLength: 4 }), text, (query, body) => {
      assert.equal(verify(prepareRequest({ ...draft, query })), 'verified');
      assert.equal(verify(prepareRequest({ ...draft, method: 'POST', query, body })), 'verified');
    }),
  );
});

test('the address begins with the base path, and every value is encoded', () => {
  const { url } = prepareRequest({ ...draft, query: [['name', "O'Neil & Söhne+1"]] });
  assert.equal(url, 'http://127.0.0.1:8080/api/user?name=O%27Neil%20%26%20S%C3%B6hne%2B1');
});

test('two requests have different nonces of an allowed length', () => {
  const nonces = [1, 2].map(() => prepareRequest(draft).headers.Nonce ?? '');
  assert.notEqual(nonces[0], nonces[1]);
  for (const nonce of nonces) assert.match(nonce, /^[0-9a-f-]{32,36}$/);
});

test('without a body there is no content type', () => {
  assert.equal('Content-Type' in prepareRequest(draft).headers, false);
  const { headers } = prepareRequest({ ...draft, method: 'POST', body: '' });
  assert.equal(headers['Content-Type'], 'application/json');
});

test('a prefix that a proxy removes is part of the address, and not signed', () => {
  const { url, signed } = prepareRequest({ ...draft, origin: 'https://host.example/people' });
  assert.equal(url, 'https://host.example/people/api/user');
  assert.equal(signed.canonicalResource, '/api/user');
});
