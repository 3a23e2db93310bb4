import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { ApiError } from '../api-error.ts';
import { parseExactJson } from '../exact-json.ts';
import { type FieldReader, fieldReader } from './read-field.ts';

const int64 = fieldReader(Type.Unsafe({ type: 'integer', format: 'int64' }));
const int32 = fieldReader(Type.Integer({ format: 'int32' }));
const gender = fieldReader(Type.Unsafe({ type: 'integer', format: 'int32', enum: [0, 1, 2] }));

function refuses(read: FieldReader, value: unknown): void {
  assert.throws(
    () => read(value, 'field'),
    (error: unknown) => error instanceof ApiError && error.code === 1001 && error.message.startsWith('field'),
    `${typeof value} ${String(value)}`,
  );
}

const anyInt64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test('every int64 in a JSON text is read with all its digits', () => {
  fc.assert(
    fc.property(anyInt64, (value) => {
      assert.equal(int64(parseExactJson(String(value)), 'field'), value);
    }),
  );
});

test('integers outside int64 are refused', () => {
  const outside = fc.oneof(
    fc.bigInt({ min: 2n ** 63n, max: 2n ** 80n }),
    fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 63n) - 1n }),
  );
  fc.assert(fc.property(outside, (value) => refuses(int64, parseExactJson(String(value)))));
});

test('the limits of int64 are read, and the next integers beyond them are refused', () => {
  assert.equal(int64(2n ** 63n - 1n, 'f'), 9223372036854775807n);
  assert.equal(int64(-(2n ** 63n), 'f'), -9223372036854775808n);
  refuses(int64, 2n ** 63n);
  refuses(int64, -(2n ** 63n) - 1n);
});

test('a value that is not an integer is not read as one', () => {
  for (const value of ['1', '', 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, null, [], [1], {}]) {
    refuses(int64, value);
    refuses(int32, value);
    refuses(gender, value);
  }
});

test('an integer that was rounded on its way is refused, never guessed', () => {
  for (const text of ['1e17', '9007199254740993.0', '1E300', '-1e19', '9007199254740992e0']) {
    refuses(int64, parseExactJson(text));
  }
});

test('every int32 is read, and everything beyond is refused', () => {
  fc.assert(fc.property(fc.integer(), (value) => assert.equal(int32(value, 'f'), value)));
  refuses(int32, 2 ** 31);
  refuses(int32, -(2 ** 31) - 1);
  refuses(int32, 2n ** 40n);
});

test('minus zero is zero', () => {
  assert(Object.is(gender(parseExactJson('-0'), 'f'), 0));
  assert.equal(int64(parseExactJson('-0'), 'f'), 0n);
});

test('a text is returned as it was sent, or refused for one of the stated reasons', () => {
  const read = fieldReader(Type.String({ maxLength: 10 }));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 14 }), (value) => {
      const acceptable = [...value].length <= 10 && value.isWellFormed() && !value.includes('\0');
      if (acceptable) assert.equal(read(value, 'field'), value);
      else refuses(read, value);
    }),
    { examples: [['\ud83e'], ['a\0b'], ['🦜'.repeat(10)], ['🦜'.repeat(11)], ['']] },
  );
});

test('an array is read item by item, and an error names the item', () => {
  const read = fieldReader(Type.Array(Type.String({ minLength: 1 })));
  assert.deepEqual(read(['a', 'b'], 'codes'), ['a', 'b']);
  assert.deepEqual(read([], 'codes'), []);
  assert.throws(() => read(['a', ''], 'codes'), /codes\[1\] must not be empty/);
  for (const value of ['a', { length: 0 }, 1]) refuses(read, value);
});

test('in an array checked entry by entry, a wrong entry is reported and does not affect the others', () => {
  const entry = Type.Object({ code: Type.String({ minLength: 1 }) });
  const read = fieldReader(Type.Unsafe({ type: 'array', items: entry, maxItems: 4, checkedOneByOne: true }));
  assert.deepEqual(read([{ code: 'a', other: 1 }, { code: '' }, {}, 'text'], 'list'), [
    { value: { code: 'a' } },
    { problem: 'list[1].code must not be empty', given: { code: '' } },
    { problem: 'list[2].code is required', given: {} },
    { problem: 'list[3] must be an object', given: 'text' },
  ]);
  for (const value of [{}, [1, 2, 3, 4, 5]]) refuses((given) => read(given, 'field'), value);
});

test('a schema that no reader enforces is our bug, reported at the start', () => {
  const unknown: readonly TSchema[] = [
    Type.String({ multipleOf: 2 }),
    Type.Integer(),
    Type.Number(),
    Type.Null(),
  ];
  for (const schema of unknown) assert.throws(() => fieldReader(schema), TypeError);
});
