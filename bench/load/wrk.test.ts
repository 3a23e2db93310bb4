import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { verifyRequest } from '@fieldroster/signing';
import { temporaryFolder } from '../../scripts/testing/temporary-folder.ts';
import { isInstalled } from '../process/pinned.ts';
import { signedBy, writeRequestFile } from './requests.ts';
import { runWrk } from './wrk.ts';

const requests = 300;
const signer = { appId: 'bench', appSecret: 'a secret' };

if (isInstalled('wrk')) test('wrk sends each request of a file at most once, validly signed', testLoad);
else console.error('NOT TESTED: the load of the benchmark, because wrk is missing');

/** Refusals are counted as failures. */
async function testLoad(t: TestContext): Promise<void> {
  const { url, signatures } = await startServer(t);
  const requestFile = join(temporaryFolder(t), 'requests');
  writeRequestFile(requestFile, numberedRequests(), signedBy(signer));
  // wrk takes that long, even if all requests are sent earlier.
  const seconds = 20;
  const round = { url, requestFile, seconds, connections: 4, once: true, successPrefix: '{"code":0' };
  const result = await runWrk(undefined, round);
  const counted = signatures.slice(0, result.answers);
  assert.equal(new Set(counted).size, counted.length);
  assert.ok(result.answers > requests - 10, `${result.answers} answers`);
  assert.ok(result.failures > requests / 3 - 10 && result.failures < requests / 3 + 10);
  assert.ok(result.seconds < seconds - 1, 'the round goes on after the last request');
}

/** Alternates between two requests: one has a body with characters outside ASCII, the other has no body. */
function numberedRequests() {
  return Array.from({ length: requests }, (_, number) =>
    number % 2 === 0
      ? { method: 'POST', target: '/user/store', body: '{"store_code":"Köln\\n1"}' }
      : { method: 'GET', target: '/user?user_id=1' },
  );
}

/** Refuses every third request as the service does: with status 200 and a code. */
async function startServer(t: TestContext) {
  const signatures: string[] = [];
  const server = createServer(async (request, response) => {
    signatures.push(signatureOf(request, await buffer(request)));
    const code = signatures.length % 3 === 0 ? 1401 : 0;
    const answer = JSON.stringify({ code, message: '' });
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', answer.length).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, signatures };
}

/** Returns the signature of a request, and fails the test if it is invalid. */
function signatureOf({ method = '', url: target = '', headers }: IncomingMessage, body: Buffer): string {
  const { authorization, timestamp, nonce } = headers as Record<string, string | undefined>;
  const verification = verifyRequest(
    { method, target, authorization, timestamp, nonce, body },
    { findSecrets: () => [signer.appSecret], nowSeconds: Math.floor(Date.now() / 1000) },
  );
  assert.ok(verification.outcome === 'verified');
  return verification.signature;
}
