import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concatInSlices } from './concat-in-slices.ts';
import { TimeSlice } from './time-slice.ts';

test('pieces are put together in their order, whatever their sizes', async () => {
  for (const texts of [
    [],
    [''],
    ['a'],
    ['', 'b', '', '店c'],
    ['x'.repeat(100_000), 'y', 'z'.repeat(70_000)],
  ]) {
    const pieces = texts.map((text) => Buffer.from(text));
    assert.ok((await concatInSlices(pieces, new TimeSlice())).equals(Buffer.concat(pieces)));
  }
});

test('others are served as soon as a piece has been copied after the time was over', async () => {
  let slices = 0;
  const timeSlice = new TimeSlice(async () => {
    slices += 1;
  });
  while (!timeSlice.isOver());
  await concatInSlices([Buffer.from('a'), Buffer.from('b')], timeSlice);
  assert.equal(slices, 1);
});
