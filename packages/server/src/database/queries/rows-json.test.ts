import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseExactJson } from '../../json/exact-json.ts';
import { rowsToJson } from './rows-json.ts';

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.constant(null),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.constantFrom('"', '\\', '],[', '\n', '\u2028'),
);

test('rows survive the JSON text with every digit', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell)), (rows) => {
      assert.deepEqual(parseExactJson(rowsToJson(rows)), rows);
    }),
    { examples: [[[]], [[[]]], [[[], []]], [[[9223372036854775807n]]]] },
  );
});
