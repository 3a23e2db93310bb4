import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringToSign } from './string-to-sign.ts';

const parts = { method: 'post', timestamp: '1700000000', nonce: 'n', canonicalResource: '/user' };

test('the parts are joined by single line feeds, with none at the end', () => {
  const text = stringToSign({ ...parts, contentMd5: '1B2M2Y8AsgTpgAmY7PhCfg==' });
  assert.equal(text, 'POST\n1B2M2Y8AsgTpgAmY7PhCfg==\n1700000000\nn\n/user');
});

test('without Content-MD5, its line feed is also left out', () => {
  assert.equal(stringToSign({ ...parts, contentMd5: undefined }), 'POST\n1700000000\nn\n/user');
});
