import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedStringsToSign } from './expected-strings.ts';

const request = { method: 'GET', target: '/user', timestamp: '1', nonce: 'n', body: new Uint8Array() };

test('the expected string is that of the request, whatever its time', () => {
  assert.deepEqual(expectedStringsToSign(request), { strings: ['GET\n1\nn\n/user'] });
  assert.deepEqual(expectedStringsToSign({ ...request, method: 'POST', timestamp: '9999999999999999' }), {
    strings: ['POST\n1B2M2Y8AsgTpgAmY7PhCfg==\n9999999999999999\nn\n/user'],
  });
});

test('each reading of the query has its expected string', () => {
  assert.deepEqual(expectedStringsToSign({ ...request, target: '/user?a=b+c' }), {
    strings: ['GET\n1\nn\n/user?a=b c', 'GET\n1\nn\n/user?a=b+c'],
  });
});

test('a header that is wrong is named with its problem', () => {
  assert.deepEqual(expectedStringsToSign({ ...request, timestamp: 'now' }), {
    header: 'Timestamp',
    problem:
      'is "now", which is not a number of seconds; expected whole seconds since the Unix epoch, 1 to 16 decimal digits',
    fault: { header: 'Timestamp', kind: 'not-seconds', value: 'now' },
  });
  assert.deepEqual(expectedStringsToSign({ ...request, nonce: undefined }), {
    header: 'Nonce',
    problem: 'is missing; expected 1 to 36 characters',
    fault: { header: 'Nonce', kind: 'missing' },
  });
});

test('a query that cannot be decoded is refused with its problem', () => {
  const result = expectedStringsToSign({ ...request, target: '/user?a=%zz' });
  assert.deepEqual(result, {
    query: 'the value of parameter "a" has a "%" that is not followed by two hexadecimal digits, at "%zz"',
    fault: { kind: 'loose-percent', parameter: '"a"', at: '"%zz"' },
  });
});
