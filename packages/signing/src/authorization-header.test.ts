import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatAuthorization, parseAuthorization } from './authorization-header.ts';

const part = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/[:\s]/.test(text));

test('a formatted header is parsed back', () => {
  fc.assert(
    fc.property(part, part, (appId, signature) => {
      assert.deepEqual(parseAuthorization(formatAuthorization(appId, signature)), { appId, signature });
    }),
  );
});

test('each kind of malformed value is distinguished', () => {
  const problems = {
    '': 'is empty',
    'cbs: app:sig': 'contains white space',
    'cbs:app:sig, cbs:app:sig': 'was sent 2 times; send it once',
    'cbs:app:sig, cbs:app:sig, cbs:app:sig': 'was sent 3 times; send it once',
    'Bearer x, cbs:app:sig': 'was sent 2 times; send it once',
    'cbs:app:sig, Bearer x': 'was sent 2 times; send it once',
    'CBS:app:sig': 'must start with cbs: in lower case',
    'Bearer x': 'must start with cbs: in lower case, not with the scheme Bearer of other interfaces',
    'AWS4-HMAC-SHA256 Credential=x':
      'must start with cbs: in lower case, not with the scheme AWS4-HMAC-SHA256 of other interfaces',
    'Bearer:app:sig': 'must start with cbs: in lower case',
    cbs: 'must start with cbs: in lower case',
    'cbs:app': 'has 2 parts instead of 3',
    'cbs:app:sig:more': 'has 4 parts instead of 3',
    'cbs::sig': 'has an empty APPID',
    'cbs:app:': 'has an empty signature',
  };
  for (const [value, problem] of Object.entries(problems)) {
    assert.deepEqual(parseAuthorization(value), { problem: `${problem}; expected cbs:<APPID>:<Signature>` });
  }
});

test('a problem repeats no part of the value', () => {
  const credential = 'Zm9vYmFyc2VjcmV0';
  for (const value of [credential, `Basic ${credential}`, `cbs:app:${credential}:x`, `cbs:${credential}`]) {
    assert.doesNotMatch(JSON.stringify(parseAuthorization(value)), new RegExp(credential));
  }
});
