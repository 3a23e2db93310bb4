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
  for (const timestamp of [' 1', '1 ', '-1', '1.5', '1e3', '0x1', '1'.repeat(17)]) {
    assert.equal(problemOf(timestamp), 'is not a number of seconds');
  }
});

test('the characters of a nonce are counted as code points', () => {
  const read = (nonce: string) => readSigningHeaders({ authorization, timestamp: '1', nonce }, 3);
  assert.ok(!('outcome' in read('😀😀😀')));
  const refused = read('😀😀😀😀');
  assert.ok('outcome' in refused && refused.problem === 'has 4 characters; expected 1 to 3 characters');
});
