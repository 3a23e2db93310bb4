import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTwins } from './find-twins.ts';

const row = (line: number, key: string) => ({ line, key, label: key });

test('a new code that differs in case only is reported with the other line, or with the store of the directory', () => {
  const rows = [row(2, 'W-018'), row(3, 'w-018'), row(4, 'n-001'), row(5, 'N-001'), row(6, 'Z-1')];
  const twins = findTwins(rows, ['N-001', 'S-001', 's-001']);
  assert.deepEqual(
    [...twins],
    [
      ['w-018', { code: 'W-018', line: 2 }],
      ['n-001', { code: 'N-001' }],
    ],
  );
});

test('codes that the directory has already, and rows with a problem, are no mistake in the file', () => {
  const rows = [row(2, 'S-001'), row(3, 's-001'), { ...row(4, 'S-001'), problem: 'repeated' }];
  assert.deepEqual([...findTwins(rows, ['S-001', 's-001'])], []);
});
