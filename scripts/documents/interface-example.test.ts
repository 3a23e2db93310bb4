import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { answerWait, limits, profileTexts } from '@fieldroster/contract';
import { queryParametersMax, signRequest } from '@fieldroster/signing';

const page = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');

const [, appId = '', appSecret = ''] = /The APPID is `([^`]+)`, the APPSECRET `([^`]+)`/.exec(page) ?? [];

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``, 'g'))].map(
    ([, block]) => block ?? '',
  );

test('the worked examples hold: digest, string to sign and signature', () => {
  const [body = ''] = blocks('json');
  assert.equal(Buffer.byteLength(body), 44);
  const digest = createHash('md5').update(body).digest('base64');
  assert.ok(blocks('text')[0]?.includes(`\n${digest}\n`));
  const requests = blocks('http');
  assert.equal(requests.length, 2);
  for (const [index, request] of requests.entries()) {
    const stringToSign = blocks('text')[index] ?? '';
    const signature = createHmac('sha256', appSecret).update(stringToSign).digest('base64');
    assert.equal(headerOf(request, 'Authorization'), `cbs:${appId}:${signature}`);
  }
});

test('our own signer computes the same for the worked examples', () => {
  for (const [index, request] of blocks('http').entries()) {
    const [method = '', target = ''] = request.split('\n')[0]?.split(' ') ?? [];
    const signed = signRequest({
      appId,
      appSecret,
      method,
      target,
      timestampSeconds: Number(headerOf(request, 'Timestamp')),
      nonce: headerOf(request, 'Nonce'),
      body: method === 'POST' ? blocks('json')[0] : undefined,
    });
    assert.equal(signed.stringToSign, blocks('text')[index]);
    assert.equal(signed.headers.Authorization, headerOf(request, 'Authorization'));
  }
});

test('the page has every limit of the contract', () => {
  const table = page.slice(page.indexOf('## Limits'));
  const rows: Record<string, number> = {
    username: limits.usernameCharactersMax,
    ...Object.fromEntries(
      Object.entries(profileTexts).map(([name, { charactersMax }]) => [name, charactersMax]),
    ),
    password: limits.passwordCharactersMax,
    ext_info: limits.extInfoCharactersMax,
    nonce: limits.nonceCharactersMax,
    'difference between clocks': limits.timestampSkewSeconds,
    'time until an answer': answerWait.usualMs / 1000,
    'MiB or part': answerWait.perMebibyteMs / 1000,
    'removal of up to': answerWait.manyRowsMs / 1000,
    'parameters in a query': queryParametersMax,
  };
  for (const [field, limit] of Object.entries(rows)) {
    assert.match(
      table,
      new RegExp(`\\| [^|]*\\b${field}\\b[^|]* \\| ${limit} `),
      `the Limits of docs/interface.md must give ${limit} for ${field}; run npm run docs`,
    );
  }
});

function headerOf(request: string, name: string): string {
  const line = request.split('\n').find((line) => line.startsWith(`${name}: `)) ?? '';
  return line.slice(name.length + 2);
}
