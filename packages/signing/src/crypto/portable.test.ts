import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { KeyObject } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import * as onNode from './node.ts';
import * as portable from './portable.ts';

test('both implementations export the same names', () => {
  assert.deepEqual(Object.keys(portable).sort(), Object.keys(onNode).sort());
});

test('both implementations compute the same digest of any body', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      assert.equal(portable.md5Base64(bytes), onNode.md5Base64(bytes));
      assert.equal(portable.sha256Base64(bytes), onNode.sha256Base64(bytes));
    }),
  );
});

test('the digests are those of the standards', () => {
  const bytes = new TextEncoder().encode('abc');
  for (const { md5Base64, sha256Base64 } of [onNode, portable]) {
    assert.equal(md5Base64(bytes), 'kAFQmDzST7DWlj99KOF/cg==');
    assert.equal(sha256Base64(bytes), 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
  }
});

test('a secret and a message as bytes sign as their texts do', () => {
  const encoder = new TextEncoder();
  const message = 'GET\n李伟';
  for (const { importSecret, importSecretBytes, hmacSha256Base64 } of [onNode, portable]) {
    const expected = hmacSha256Base64(importSecret('s\u0161'), message);
    const key = importSecretBytes(encoder.encode('s\u0161'));
    assert.equal(hmacSha256Base64(key, message), expected);
    assert.equal(hmacSha256Base64(key, encoder.encode(message)), expected);
  }
});

test('both implementations compute the same signature of any text with any secret', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const longText = fc.tuple(text, fc.integer({ min: 1, max: 40 })).map(([each, times]) => each.repeat(times));
  fc.assert(
    fc.property(text, longText, (secret, message) => {
      const expected = onNode.hmacSha256Base64(onNode.importSecret(secret), message);
      assert.equal(portable.hmacSha256Base64(portable.importSecret(secret), message), expected);
    }),
  );
});

test('both implementations return the text of a secret and leave the key usable', () => {
  const secret = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('', '\ufeffsecret'));
  fc.assert(
    fc.property(secret, (text) => {
      for (const { importSecret, secretText, hmacSha256Base64 } of [onNode, portable]) {
        const key = importSecret(text);
        const before = hmacSha256Base64(key, 'text');
        assert.equal(secretText(key), text);
        assert.equal(hmacSha256Base64(key, 'text'), before);
      }
    }),
  );
});

test('on Node.js the key is a KeyObject, which keeps the secret out of the JavaScript heap', () => {
  assert.ok((onNode.importSecret('secret') as unknown) instanceof KeyObject);
});

test('both implementations agree on which texts are equal', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u0161', '😀'), maxLength: 3 });
  for (const { equalInConstantTime } of [onNode, portable]) {
    fc.assert(fc.property(text, text, (a, b) => equalInConstantTime(a, b) === (a === b)));
    fc.assert(fc.property(text, (a) => equalInConstantTime(a, `${a}`)));
    const asLongAsSignatures = fc.string({
      unit: fc.constantFrom('a', 'b', '\u0161'),
      minLength: 44,
      maxLength: 44,
    });
    fc.assert(
      fc.property(
        asLongAsSignatures,
        text,
        (a, b) => !equalInConstantTime(a, b) && equalInConstantTime(a, `${a}`),
      ),
    );
    const signature = 'A'.repeat(44);
    for (let at = 0; at < signature.length; at++) {
      const other = `${signature.slice(0, at)}\u0141${signature.slice(at + 1)}`;
      assert.ok(equalInConstantTime(signature, `${signature}`) && equalInConstantTime(other, `${other}`));
      assert.ok(!equalInConstantTime(signature, other) && !equalInConstantTime(other, signature));
    }
  }
});

test('texts that differ only after the length of a signature are not equal', () => {
  const pairs = [
    ['A'.repeat(44), 'A'.repeat(45)],
    [`${'A'.repeat(44)}x`, `${'A'.repeat(44)}y`],
    // In UTF-8, the first 22 characters take 44 bytes.
    [`${'\u0161'.repeat(22)}${'a'.repeat(22)}`, `${'\u0161'.repeat(22)}${'b'.repeat(22)}`],
  ] as const;
  for (const { equalInConstantTime } of [onNode, portable]) {
    for (const [a, b] of pairs) assert.ok(!equalInConstantTime(a, b));
  }
});

// Simulates a browser: the portable implementation without Node.js modules or globals.
const browserLike = `
  import { isBuiltin, registerHooks } from 'node:module';
  const index = ${JSON.stringify(new URL('../index.ts', import.meta.url).href)};
  registerHooks({
    resolve(specifier, context, next) {
      if (isBuiltin(specifier)) throw new Error('imports ' + specifier);
      return next(specifier === '#crypto' ? new URL('crypto/portable.ts', index).href : specifier, context);
    },
  });
  for (const name of ['Buffer', 'process', 'global', 'setImmediate']) delete globalThis[name];
  if (OLD_BROWSER) delete Uint8Array.prototype.toBase64;
  const { signRequest, verifyRequest, secretKey } = await import(index);
  const body = new TextEncoder().encode('{"real_name":"\u674e\u4f1f"}');
  const request = { appId: 'app', appSecret: 'secret', method: 'POST', target: '/user?b=%20&a=+', body,
    timestampSeconds: 1700000000, nonce: 'nonce' };
  const { headers } = signRequest(request);
  const received = { ...request, authorization: headers.Authorization, timestamp: headers.Timestamp };
  const verify = (secret) => verifyRequest(received, { findSecrets: () => [secretKey(secret)], nowSeconds: 1700000000 });
  console.log(headers.Authorization, verify('secret').outcome, verify('other').outcome);
`;

for (const [browser, old] of Object.entries({
  'a current browser': false,
  'a browser without toBase64': true,
})) {
  test(`signs and verifies with the means of ${browser}`, () => {
    const script = browserLike.replace('OLD_BROWSER', String(old));
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
    const text = 'POST\nMD5\n1700000000\nnonce\n/user?a= &b= ';
    const body = new TextEncoder().encode('{"real_name":"\u674e\u4f1f"}');
    const expected = onNode.hmacSha256Base64(
      onNode.importSecret('secret'),
      text.replace('MD5', onNode.md5Base64(body)),
    );
    assert.equal(run.stderr, '');
    assert.equal(run.stdout, `cbs:app:${expected} verified mismatch\n`);
  });
}
