import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringifyExactJson } from './exact-json.ts';
import { hasLongArray, jsonPieces } from './json-pieces.ts';

const long = Array.from({ length: 1_001 }, (_, index) => `店${index}"`);

/** Two whole pieces. */
const twice = long.slice(0, 500);

test('JSON written in pieces is that which is written at once', () => {
  const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.bigInt(), fc.constant(null));
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.constant(undefined), tie('array'), tie('object')),
    array: fc.oneof(fc.array(tie('value')), fc.constantFrom(long, twice)),
    object: fc.dictionary(fc.string(), tie('value')),
  })).object;
  fc.assert(
    fc.property(value, (object) => {
      assert.equal([...jsonPieces(object)].join(''), stringifyExactJson(object));
    }),
  );
});

test('an object has a long array if it is one of its values or of theirs', () => {
  const longest = Array.from({ length: 4_001 }, () => 'S');
  const shorter = longest.slice(1);
  for (const object of [{ stores: longest }, { of: 1n, stores: { added: [], removed: longest } }])
    assert.equal(hasLongArray(object), true);
  const few = { text: 'x'.repeat(4_001), none: null, few: [1], stores: { added: shorter } };
  for (const object of [{}, few, { of: { of: { of: longest } } }]) assert.equal(hasLongArray(object), false);
});

test('an array within an object is written in pieces of 250 elements', () => {
  const pieces = [...jsonPieces({ data: { stores: long } })];
  assert.deepEqual(
    pieces.map((piece) => piece.split('店').length - 1).filter((elements) => elements > 0),
    [250, 250, 250, 250, 1],
  );
});
