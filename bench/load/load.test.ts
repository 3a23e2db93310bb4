import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { verifyRequest } from '@fieldroster/signing';
import { temporaryFolder } from '../../scripts/testing/temporary-folder.ts';
import type { Load } from '../measurement.ts';
import { isInstalled } from '../process/pinned.ts';
import { inLdap, readLdapAnswer } from './ldap.ts';
import { nodeLoad, wrk } from './load-generators.ts';
import { inHttp, signedBy, splitRequestFile, writeRequestFile } from './requests.ts';

const requests = 300;
const credentials = { appId: 'bench', appSecret: 'a secret' };
const successPrefix = '{"code":0';

const loads: readonly Load[] = [nodeLoad(undefined), ...(isInstalled('wrk') ? [wrk(undefined)] : [])];

for (const load of loads) {
  test(`${load.name} sends each request of the file at most once and counts each refusal`, async (t) => {
    const { url, bodies } = await startServer(t);
    const requestFile = join(temporaryFolder(t), 'requests');
    writeRequestFile(requestFile, numberedPosts(), inHttp(signedBy(credentials)));
    const result = await load.run({
      url,
      requestFile,
      seconds: 5,
      connections: 4,
      once: true,
      successPrefix,
    });
    const counted = bodies.slice(0, result.requests);
    assert.equal(new Set(counted).size, counted.length);
    assert.ok(result.requests > requests - 10, `${result.requests} answers`);
    assert.ok(result.failures > requests / 3 - 10 && result.failures < requests / 3 + 10);
    assert.ok(result.seconds < 4, 'the round goes on after the last request');
  });
}

function* numberedPosts() {
  for (let number = 0; number < requests; number += 1) {
    yield { method: 'POST', target: '/user/store', body: JSON.stringify({ number }) };
  }
}

/** Refuses every third request as the service does: with status 200 and a code. */
async function startServer(t: TestContext) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    const refused = JSON.parse(body).number % 3 === 0;
    response.setHeader('Content-Type', 'application/json');
    const answer = JSON.stringify({ code: refused ? 1401 : 0, message: '' });
    response.setHeader('Content-Length', answer.length).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

test('every request in a file has its own valid signature', (t) => {
  const file = join(temporaryFolder(t), 'requests');
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

const search = inLdap('ou=people,dc=bench', 'uid');

// The bytes that OpenLDAP 2.5's ldapsearch sends for this search, apart from the message id.
const known =
  '3036020101633104126f753d70656f706c652c64633d62656e63680a01020a0100020100020100010100a30a04037569640403612e623000';

const entry = Buffer.from('300b02010164060401783001ff', 'hex').subarray(0, 13);
const done = (code: number) => Buffer.from([0x30, 12, 2, 1, 1, 0x65, 7, 10, 1, code, 4, 0, 4, 0]);

test('a search is encoded like that of ldapsearch', () => {
  assert.equal(search({ method: 'SEARCH', target: 'a.b' }).toString('hex'), known);
});

test('a search succeeds after one entry and its end, however the bytes are split', () => {
  const answer = Buffer.concat([entry, done(0)]);
  for (let length = 0; length < answer.length; length += 1) {
    assert.equal(readLdapAnswer(answer.subarray(0, length)), undefined);
  }
  assert.equal(readLdapAnswer(answer), true);
});

test('no entry, more than one, or a code other than 0 is a failure', () => {
  assert.equal(readLdapAnswer(done(0)), false);
  assert.equal(readLdapAnswer(Buffer.concat([entry, entry, done(0)])), false);
  assert.equal(readLdapAnswer(Buffer.concat([entry, done(3)])), false);
});
