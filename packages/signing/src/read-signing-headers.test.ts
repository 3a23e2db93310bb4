import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSigningHeaders } from './read-signing-headers.ts';

const authorization = 'cbs:app:signature';

test('an empty timestamp is distinguished from a missing and from a malformed one', () => {
  const problemOf = (timestamp: string | undefined) => {
    const result = readSigningHeaders({ authorization, timestamp, nonce: 'n' }, 36);
    assert.ok('outcome' in result && result.header === 'Timestamp');
    return result.problem.split(';')[0];
  };
  assert.equal(problemOf(''), 'is empty');
  assert.equal(problemOf(undefined), 'is missing');
  for (const timestamp of [' 1', '1 ', '-1', '1.5', '1e3', '0x1']) {
    assert.equal(problemOf(timestamp), `is ${JSON.stringify(timestamp)}, which is not a number of seconds`);
  }
  assert.equal(problemOf('1767225600\u200b'), 'is "1767225600\\u{200b}", which is not a number of seconds');
  assert.equal(
    problemOf('2026-01-01T00:00:00.000000000Z+00:00'),
    'is "2026-01-01T00:00:00.000000000Z…", which is not a number of seconds',
  );
  for (const digits of [17, 18, 20]) assert.equal(problemOf('1'.repeat(digits)), `has ${digits} digits`);
  assert.equal(problemOf('1'.repeat(19)), 'has 19 digits, as nanoseconds have');
});

// A server joins the values of a repeated header with a comma.
test('a timestamp and a nonce that were sent more than once are named as such', () => {
  const problemOf = (headers: { timestamp?: string; nonce?: string }) => {
    const result = readSigningHeaders({ authorization, timestamp: '1', nonce: 'n', ...headers }, 36);
    assert.ok('outcome' in result);
    return `${result.header} ${result.problem}`;
  };
  assert.match(
    problemOf({ timestamp: '1767225600, 1767225600' }),
    /^Timestamp was sent 2 times; send it once$/,
  );
  assert.match(problemOf({ timestamp: '1, 2, 3' }), /^Timestamp was sent 3 times; send it once$/);
  const uuid = '1c9d1f7e-8a3b-4c55-9a57-3a6f6f0f6a11';
  assert.match(problemOf({ nonce: `${uuid}, ${uuid}` }), /^Nonce was sent 2 times; send it once$/);
  assert.match(problemOf({ nonce: `${uuid}, x` }), /^Nonce has 39 characters; expected 1 to 36 characters$/);
});

test('the characters of a nonce are counted as code points', () => {
  const read = (nonce: string) => readSigningHeaders({ authorization, timestamp: '1', nonce }, 3);
  assert.ok(!('outcome' in read('😀😀😀')));
  const refused = read('😀😀😀😀');
  assert.ok('outcome' in refused && refused.problem === 'has 4 characters; expected 1 to 3 characters');
});
