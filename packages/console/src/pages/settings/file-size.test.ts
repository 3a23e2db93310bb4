import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeOf } from './file-size.ts';

test('a size is in the unit that keeps it below a thousand, after rounding too', () => {
  for (const [bytes, written] of [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [4_200_000, '4.2 MB'],
    [999_950_000, '1.0 GB'],
    [2_500_000_000_000_000, '2500.0 TB'],
  ] as const)
    assert.equal(sizeOf(bytes), written);
});
