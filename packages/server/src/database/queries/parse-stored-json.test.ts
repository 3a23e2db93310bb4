import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeSlice } from '../../slices/time-slice.ts';
import { parseStoredJson } from './parse-stored-json.ts';

test('a text and its bytes are parsed to the same value, whether at once or in slices', async () => {
  for (const count of [0, 3, 30_000]) {
    const value = { stores: Array.from({ length: count }, (_, index) => `店"${index}`), of: 7 };
    const text = JSON.stringify(value);
    const bytes = new Uint8Array(Buffer.from(` ${text}`)).subarray(1);
    for (const json of [text, bytes]) assert.deepEqual(await parseStoredJson(json, new TimeSlice()), value);
  }
});
