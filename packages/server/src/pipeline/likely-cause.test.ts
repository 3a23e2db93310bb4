import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { secretKey, verifyRequest } from '@fieldroster/signing';
import { applications, startTestServer } from '../testing/test-server.ts';
import { MismatchHelp } from './likely-cause.ts';

const server = await startTestServer();
after(() => server.close());

const { appId, appSecret } = applications.main;

function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

async function messageOf(signature: string, method = 'GET', target = '/user', body?: string) {
  const headers = {
    Authorization: `cbs:${appId}:${signature}`,
    Timestamp: String(server.nowSeconds),
    Nonce: 'n',
  };
  const { envelope } = await server.send({ method, target, headers, ...(body !== undefined && { body }) });
  assert.equal(envelope.code, 1014);
  return envelope.message;
}

test('1014 ends with the likely cause, after the string to sign as ever', async () => {
  const body = '{"username":"u"}';
  const hex = createHash('md5').update(body).digest('hex');
  const md5 = createHash('md5').update(body).digest('base64');
  const text = (digest: string) => `POST\n${digest}\n${server.nowSeconds}\nn\n/user`;
  assert.equal(
    await messageOf(sign(appSecret, text(hex)), 'POST', '/user', body),
    `the signature does not match; the server's StringToSign is ${JSON.stringify(text(md5))}; likely cause: ` +
      'Content-MD5 was signed as hexadecimal digits; ' +
      'sign the Base64 of the 16 raw bytes of the MD5 digest (24 characters)',
  );
});

test('1014 of a secret with a line feed says so and shows nothing of the secret', async () => {
  const text = `GET\n${server.nowSeconds}\nn\n/user`;
  const message = await messageOf(sign(`${appSecret}\n`, text));
  assert.match(message, /likely cause: the secret was used with white space/);
  assert.ok(!message.includes(appSecret) && !message.includes(sign(appSecret, text).slice(0, 8)));
  assert.ok(!server.logLines.some((line) => line.includes(appSecret)));
});

test('1014 of a full URL that was signed as the resource says so, with TLS before the server or without', async () => {
  const target = '/user?b=x%20y&a=1';
  for (const scheme of ['http', 'https']) {
    const resource = `${scheme}://127.0.0.1:${server.port}${target}`;
    const text = `GET\n${server.nowSeconds}\nn\n${resource}`;
    const message = await messageOf(sign(appSecret, text), 'GET', target);
    assert.match(
      message,
      /likely cause: the scheme or the host was signed; sign the path and the query alone$/,
    );
  }
});

test('an application that is unknown gets no help, for there is nothing to compare with', async () => {
  const text = `GET\n${server.nowSeconds}\nn\n/user`;
  const headers = {
    Authorization: `cbs:nobody:${sign('', text)}`,
    Timestamp: String(server.nowSeconds),
    Nonce: 'n',
  };
  const { envelope } = await server.send({ method: 'GET', target: '/user', headers });
  assert.deepEqual([envelope.code, envelope.message.includes('likely cause')], [1013, false]);
});

test('a body is not parsed for a cause: its sender is not known', async () => {
  const body = JSON.stringify({ text: 'x' });
  const otherwise = createHash('md5').update(`${body}\n`).digest('base64');
  const text = `POST\n${otherwise}\n${server.nowSeconds}\nn\n/user`;
  assert.ok(!(await messageOf(sign(appSecret, text), 'POST', '/user', body)).includes('likely cause'));
});

/** Signed with a line feed at its end, which is quickly found. */
function mismatchOf(bodyBytes: number) {
  const body = Buffer.alloc(bodyBytes, ' ');
  const md5 = createHash('md5').update(body).digest('base64');
  const signature = sign('s', `POST\n${md5}\n1767225600\nn\n/user\n`);
  const headers = { authorization: `cbs:a:${signature}`, timestamp: '1767225600', nonce: 'n' };
  const request = { method: 'POST', target: '/user', body, ...headers };
  const secrets = [secretKey('s')];
  const verification = verifyRequest(request, { findSecrets: () => secrets, nowSeconds: 1767225600 });
  if (verification.outcome !== 'mismatch') throw new TypeError(verification.outcome);
  return { request, stringsToSign: verification.stringsToSign, secrets };
}

function countHelped(help: MismatchHelp, bodyBytes: number, nowMs: number): number {
  const mismatch = mismatchOf(bodyBytes);
  let helped = 0;
  for (let i = 0; i < 300; i++) if (help.likelyCause(mismatch, nowMs) !== undefined) helped++;
  return helped;
}

test('help is rationed by size within a second, and there again in the next', () => {
  const help = new MismatchHelp();
  assert.equal(countHelped(help, 10, 1000), 128);
  assert.equal(countHelped(help, 10, 1999), 0);
  assert.equal(countHelped(help, 70_000, 3000), 128);
  assert.equal(countHelped(help, 10, 1000), 128, 'a clock that is set back renews it as well');
});
