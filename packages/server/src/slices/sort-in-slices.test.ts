import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sortInSlices } from './sort-in-slices.ts';
import { TimeSlice } from './time-slice.ts';

test('strings sorted in slices are in the order of their code points, in which the database sorts them', async () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2 }), { maxLength: 3_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(texts, async (values) => {
      const expected = values.toSorted((one, other) => Buffer.from(one).compare(Buffer.from(other)));
      assert.deepEqual(await sortInSlices(values, new TimeSlice()), expected);
    }),
    { numRuns: 30 },
  );
});
