import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldrosterError } from '@fieldroster/client';
import { describeRefusal } from './describe-refusal.ts';

const target = { url: 'http://127.0.0.1:8080', appId: 'a', appSecret: 'not shown' };

function describe(message: string): string {
  const refusal = {
    code: 1014,
    message,
    operation: 'query-user',
    httpStatus: 200,
    requestId: undefined,
  } as const;
  return describeRefusal(new FieldrosterError(refusal), target);
}

test('1014 without a likely cause means the APPSECRET, unless the server did not look for a cause to the end', () => {
  assert.match(describe('the signature does not match; compare'), /the APPSECRET is not that of a; /);
  for (const message of [
    'x; likely cause: a proxy',
    'x; the search for a known mistake was cut short, because y',
  ])
    assert.equal(describe(message), `the server answered 1014: ${message}`);
});
