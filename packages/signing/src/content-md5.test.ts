import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentMd5, contentMd5Participates } from './content-md5.ts';

test('Content-MD5 is Base64 of the raw digest (RFC 1321, appendix A.5)', () => {
  const digests = {
    '': 'd41d8cd98f00b204e9800998ecf8427e',
    abc: '900150983cd24fb0d6963f7d28e17f72',
    'message digest': 'f96b697d7cb7938d525a2f31aaf161d0',
  };
  for (const [text, hexadecimal] of Object.entries(digests)) {
    const expected = Buffer.from(hexadecimal, 'hex').toString('base64');
    assert.equal(contentMd5(new TextEncoder().encode(text)), expected);
  }
});

test('only the view into a larger buffer is digested', () => {
  const padded = new TextEncoder().encode('xxabcxx');
  assert.equal(contentMd5(padded.subarray(2, 5)), 'kAFQmDzST7DWlj99KOF/cg==');
});

test('Content-MD5 participates for every POST and PUT, otherwise only with a body', () => {
  for (const method of ['POST', 'PUT', 'post', 'Put']) assert.equal(contentMd5Participates(method, 0), true);
  for (const method of ['GET', 'DELETE', 'PATCH', 'POSTS']) {
    assert.equal(contentMd5Participates(method, 0), false);
    assert.equal(contentMd5Participates(method, 1), true);
  }
});
