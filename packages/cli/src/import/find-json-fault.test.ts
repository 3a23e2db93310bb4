import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonFault } from './find-json-fault.ts';

const faults: readonly (readonly [text: string, index: number])[] = [
  ['{"username":"a",}', 16],
  ['{"username":"a"', 15],
  ['{"username" "a"}', 12],
  ['{username:1}', 1],
  ['{"a":1} {"b":2}', 8],
  ['{"a":[1,2}', 9],
  ['{"a":[1,]}', 8],
  ['{"a":01}', 6],
  ['{"a":tru}', 5],
  ['{"a":"x\\q"}', 5],
  ["  {'a':1}", 3],
  ['', 0],
  ['{"a":1', 6],
  ['{,}', 1],
  [']', 0],
  ['{"a":1]', 6],
];

for (const [text, index] of faults) {
  test(`finds the fault of ${JSON.stringify(text)} at ${index}`, () => {
    assert.equal(findJsonFault(text), index);
  });
}

test('finds a fault exactly in the texts that JSON.parse refuses', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '[', '1', ' ', 'x', '\\'))
    .map(([text, at, insert]) => {
      const index = at % (text.length + 1);
      return text.slice(0, index) + insert + text.slice(index + (at % 2));
    });
  fc.assert(
    fc.property(broken, (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      assert.equal(findJsonFault(text) === undefined, valid, text);
    }),
    { numRuns: 2_000 },
  );
});

test('copes with a long string and deep nesting', () => {
  assert.equal(findJsonFault(`"${'x'.repeat(5_000_000)}`), 0);
  assert.equal(findJsonFault('['.repeat(100_000)), 100_000);
});
