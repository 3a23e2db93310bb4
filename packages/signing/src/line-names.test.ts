import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineNames } from './line-names.ts';

test('the lines are named with Content-MD5 only where it participates', () => {
  assert.deepEqual(lineNames('GET\n1767225600\nn\n/user'), [
    'Method',
    'Timestamp',
    'Nonce',
    'CanonicalizedResource',
  ]);
  assert.deepEqual(lineNames('POST\n1B2M2Y8AsgTpgAmY7PhCfg==\n1767225600\nn\n/user'), [
    'Method',
    'Content-MD5',
    'Timestamp',
    'Nonce',
    'CanonicalizedResource',
  ]);
});

test('each line of a resource that contains line feeds has its name', () => {
  const names = lineNames('GET\n1767225600\nn\n/user?a=\n1\n2');
  assert.deepEqual(names.slice(3), Array(3).fill('CanonicalizedResource'));
});
