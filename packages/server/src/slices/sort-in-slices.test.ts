import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sortInSlices } from './sort-in-slices.ts';
import { TimeSlice } from './time-slice.ts';

test('strings sorted in slices are in the order of all sorted at once', async () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2 }), { maxLength: 3_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(texts, async (values) => {
      assert.deepEqual(await sortInSlices(values, new TimeSlice()), values.toSorted());
    }),
    { numRuns: 30 },
  );
});
