import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeInSlices } from './encode-in-slices.ts';
import { TimeSlice } from './time-slice.ts';

test('a text encoded in slices is that encoded at once, wherever its slices end', async () => {
  const ends = ['', 'x', '店', '🦜', '\ud83e', '\udd9c', '\ud83e\ud83e\udd9c'];
  for (const start of ends)
    for (const end of ends)
      for (const length of [0, 10, 65_534, 65_535, 65_536, 65_537]) {
        for (const filling of ['a', '店', '🦜']) {
          const text = `${start}${filling.repeat(length)}${end}`;
          const pieces = await encodeInSlices(text, new TimeSlice());
          assert.ok(Buffer.concat(pieces).equals(Buffer.from(text)));
        }
      }
});
