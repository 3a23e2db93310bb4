import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyRequest } from '@fieldroster/signing';
import { inHttp, signedBy, splitRequestFile, writeRequestFile } from './request-file.ts';

test('every request of a file carries a signature of its own that verifies', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-requests-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'requests');
  const post = { method: 'POST', target: '/user/store', body: '{"store_code":"Köln\\n1"}' };
  const encode = inHttp(signedBy({ appId: 'bench', appSecret: 'a secret' }));
  writeRequestFile(file, [post, post, { method: 'GET', target: '/user?user_id=1' }], encode);
  const signatures = splitRequestFile(readFileSync(file)).map(verifiedSignature);
  assert.equal(new Set(signatures).size, 3);
});

function verifiedSignature(request: Buffer): string {
  const [head = '', body = ''] = request.toString().split('\r\n\r\n');
  const [requestLine = '', ...headerLines] = head.split('\r\n');
  const [method = '', target = ''] = requestLine.split(' ');
  const header = (name: string) =>
    headerLines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  if (body !== '') assert.equal(header('Content-Length'), String(Buffer.byteLength(body)));
  const verification = verifyRequest(
    {
      method,
      target,
      authorization: header('Authorization'),
      timestamp: header('Timestamp'),
      nonce: header('Nonce'),
      body: Buffer.from(body),
    },
    { findSecrets: () => ['a secret'], nowSeconds: Math.floor(Date.now() / 1000) },
  );
  assert.equal(verification.outcome, 'verified');
  return verification.outcome === 'verified' ? verification.signature : '';
}
