import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCaseVariants } from './find-case-variants.ts';

const row = (line: number, key: string) => ({ line, key, label: key });

test('a new code that differs in case only is reported with the other line, or with the store of the directory', () => {
  const rows = [row(2, 'W-018'), row(3, 'w-018'), row(4, 'n-001'), row(5, 'N-001'), row(6, 'Z-1')];
  const variants = findCaseVariants(rows, ['N-001', 'S-001', 's-001']);
  assert.deepEqual(
    [...variants],
    [
      ['w-018', { code: 'W-018', line: 2 }],
      ['n-001', { code: 'N-001' }],
    ],
  );
});

test('a code that the directory already has, or a row with a problem, is not reported', () => {
  const rows = [row(2, 'S-001'), row(3, 's-001'), { ...row(4, 'S-001'), problem: 'repeated' }];
  assert.deepEqual([...findCaseVariants(rows, ['S-001', 's-001'])], []);
});
