import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@fieldroster/contract';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { ApiError } from '../../../errors/api-error.ts';
import { parseExactJson } from '../../../json/exact-json.ts';
import type { FieldReader } from './input-schema.ts';
import { fieldReader, fieldReaderInSlices, fieldsReader } from './read-field.ts';

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

test('a string is returned as it was sent, or refused for one of the stated reasons', () => {
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

test('the bounds of a schema are read, and the next values beyond them are refused', () => {
  const small = fieldReader(Type.Integer({ format: 'int32', minimum: 1, maximum: 3 }));
  assert.deepEqual(
    [1, 3].map((value) => small(value, 'f')),
    [1, 3],
  );
  for (const value of [0, 4])
    assert.throws(
      () => small(value, 'f'),
      new RegExp(`^ApiError: f must be an integer from 1 to 3; it is ${value}$`),
    );
  const text = fieldReader(Type.String({ minLength: 2, maxLength: 3 }));
  assert.deepEqual(
    ['ab', 'abc'].map((value) => text(value, 'f')),
    ['ab', 'abc'],
  );
  assert.throws(() => text('a', 'f'), /f must be at least 2 characters; it has 1$/);
  assert.throws(() => text('abcd', 'f'), /f must be at most 3 characters; it has 4$/);
  const list = fieldReader(Type.Array(Type.String(), { minItems: 1, maxItems: 2 }));
  assert.deepEqual(
    [['a'], ['a', 'b']].map((value) => list(value, 'f')),
    [['a'], ['a', 'b']],
  );
  assert.throws(() => list([], 'f'), /f must not be empty$/);
  assert.throws(() => list(['a', 'b', 'c'], 'f'), /f must be an array of at most 2 entries; it has 3$/);
});

test('a word or a number of a list is read, and the message for any other names the list', () => {
  const word = fieldReader(Type.Unsafe({ type: 'string', enum: ['red', 'blue'] }));
  assert.equal(word('blue', 'f'), 'blue');
  assert.throws(() => word('green', 'f'), /f must be one of red, blue; it is "green"$/);
  assert.throws(() => word('', 'f'), /f must be one of red, blue; it is ""$/);
  assert.throws(() => word('x'.repeat(60), 'f'), /f must be one of red, blue; it is "x{50}…"$/);
  assert.throws(() => word(1, 'f'), /f must be one of red, blue; it is a number$/);
  assert.throws(() => gender(3, 'f'), /f must be an integer: 0, 1 or 2; it is 3$/);
});

test('an integer that a number cannot hold exactly is named with all its digits', () => {
  const large = parseExactJson('9007199254740993');
  assert.equal(typeof large, 'bigint');
  assert.throws(() => gender(large, 'f'), /f must be an integer: 0, 1 or 2; it is 9007199254740993$/);
  assert.throws(
    () => int32(large, 'f'),
    /f must be an integer from -2147483648 to 2147483647; it is 9007199254740993$/,
  );
});

test('an integer beyond 64 bits is named with the range, whatever its digits or its exponent', () => {
  const range = 'an integer from -9223372036854775808 to 9223372036854775807';
  const messageFor = (text: string) => {
    try {
      int64(parseExactJson(text), 'f');
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  assert.equal(messageFor('9223372036854775808'), `f must be ${range}; it is 9223372036854775808`);
  for (const [text, shown] of [
    ['12345678901234567890', '12345678901234567000'],
    ['1e18', '1000000000000000000'],
    [`1${'0'.repeat(40)}`, '1e+40'],
  ] as const) {
    assert.equal(
      messageFor(text),
      `f must be ${range}, written without exponent or fraction; it is about ${shown}`,
    );
  }
  for (const text of [`1${'0'.repeat(400)}`, '1e400', '-1e400'])
    assert.equal(messageFor(text), `f must be ${range}; it is beyond the range of a double`);
  assert.throws(
    () => int32(parseExactJson('1e400'), 'f'),
    /f must be an integer from -2147483648 to 2147483647; it is beyond the range of a double$/,
  );
});

test('a fraction that a double would round to an integer is called that, and not another number', () => {
  for (const text of ['1e-400', '-0.99999999999999999999', '103.00000000000000001']) {
    assert.throws(() => int64(parseExactJson(text), 'f'), {
      code: 1001,
      message: 'f must be an integer; it is a fraction that a double would round',
    });
    assert.throws(
      () => int32(parseExactJson(text), 'f'),
      /f must be an integer from -2147483648 to 2147483647; it is a fraction that a double would round$/,
    );
  }
});

test('a string with a control character, or white space at an end, is refused with the code point that it must not have', () => {
  const name = fieldReader(operations.createUser.body.properties.username);
  const rule = 'name must be free of control characters, and of white space at either end';
  for (const [value, found] of [
    [' ada', 'it begins with U+0020'],
    ['\ufeffada', 'it begins with U+FEFF'],
    ['ada\u00a0', 'it ends with U+00A0'],
    ['a\td\ta', 'it has U+0009'],
    ['ada\n', 'it ends with U+000A'],
    ['\x9f', 'it has U+009F'],
  ] as const) {
    assert.throws(() => name(value, 'name'), { message: `${rule}; ${found}` });
  }
});

test('a string must match the pattern of its schema, which the message has in words if it can', () => {
  const coded = { type: 'string', pattern: '^[a-z]$' };
  assert.equal(fieldReader(Type.Unsafe(coded))('a', 'f'), 'a');
  assert.throws(() => fieldReader(Type.Unsafe(coded))('A', 'f'), /f must be like \^\[a-z\]\$$/);
  const inWords = fieldReader(Type.Unsafe({ ...coded, patternMeaning: 'a small letter' }));
  assert.throws(() => inWords('A', 'f'), /f must be a small letter$/);
});

test('an empty string counts as absent in an optional field that has a least length, and nowhere else', () => {
  const text = Type.String({ minLength: 1 });
  const read = fieldsReader(
    Type.Object({
      id: Type.String(),
      named: Type.Optional(text),
      free: Type.Optional(Type.String()),
    }),
    fieldReader,
  );
  const readFrom = (given: Readonly<Record<string, unknown>>) => read((name) => given[name]);
  assert.deepEqual(readFrom({ id: '', named: '', free: '' }), { id: '', free: '' });
  assert.deepEqual(readFrom({ id: 'i', named: 'n', free: null }), { id: 'i', named: 'n' });
  const required = fieldsReader(Type.Object({ named: text }), fieldReader);
  assert.throws(() => required(() => ''), /named must not be empty$/);
  for (const value of [undefined, null]) assert.throws(() => required(() => value), /: named is required$/);
});

test('an object is read field by field, without those that it inherits or that no schema names', () => {
  const read = fieldReader(Type.Object({ toString: Type.Optional(Type.String()), code: Type.Boolean() }));
  assert.deepEqual(read({ code: true, other: 1 }, 'f'), { code: true });
  assert.throws(() => read({}, 'f'), /: f\.code is required$/);
  assert.throws(() => read({ code: 'true' }, 'f'), /: f\.code must be true or false; it is a string$/);
  for (const value of [null, [], 'text', 1])
    assert.throws(() => read(value, 'f'), /: f must be an object; it is /);
});

test('only an array of objects is read in slices of time, with the same outcome', async () => {
  const objects = Type.Array(Type.Object({ code: Type.String({ minLength: 1 }) }), { maxItems: 2 });
  const inSlices = fieldReaderInSlices(objects);
  const read = inSlices([{ code: 'a' }, { code: 'b', other: 1 }], 'f');
  assert(read instanceof Promise);
  assert.deepEqual(await read, [{ code: 'a' }, { code: 'b' }]);
  await assert.rejects(inSlices([{ code: 'a' }, { code: '' }], 'f') as Promise<unknown>, {
    code: 1001,
    message: 'f[1].code must not be empty',
  });
  assert.throws(() => inSlices([{}, {}, {}], 'f'), /f must be an array of at most 2 entries; it has 3$/);
  assert.deepEqual(fieldReaderInSlices(Type.Array(Type.String()))(['a'], 'f'), ['a']);
  assert.equal(fieldReaderInSlices(Type.String())('a', 'f'), 'a');
  assert.deepEqual(fieldReaderInSlices(Type.Object({ code: Type.String() }))({ code: 'a' }, 'f'), {
    code: 'a',
  });
  assert.throws(() => fieldReaderInSlices(Type.Unsafe({ type: 'array' })), TypeError);
});

test('in an array checked entry by entry, a wrong entry is reported and does not affect the others', () => {
  const entry = Type.Object({ code: Type.String({ minLength: 1 }) });
  const read = fieldReader(Type.Unsafe({ type: 'array', items: entry, maxItems: 4, checkedOneByOne: true }));
  assert.deepEqual(read([{ code: 'a', other: 1 }, { code: '' }, {}, 'text'], 'list'), [
    { value: { code: 'a' } },
    {
      problem: 'list[1].code must not be empty',
      fault: { key: 'emptyValue', values: { field: 'list[1].code' } },
      given: { code: '' },
    },
    {
      problem: 'list[2].code is required',
      fault: { key: 'required', values: { field: 'list[2].code' } },
      given: {},
    },
    { problem: 'list[3] must be an object; it is a string', given: 'text' },
  ]);
  for (const value of [{}, [1, 2, 3, 4, 5]]) refuses((given) => read(given, 'field'), value);
});

test('a schema that no reader enforces is our bug, reported at the start', () => {
  const unknown: readonly TSchema[] = [
    Type.String({ multipleOf: 2 }),
    Type.Integer(),
    Type.Number(),
    Type.Null(),
    Type.Unsafe({ type: 'array' }),
    Type.Unsafe({ type: 'integer', items: Type.String() }),
    Type.Unsafe({ type: 'string', 'format~': '' }),
  ];
  for (const schema of unknown) assert.throws(() => fieldReader(schema), TypeError);
});

test('the marks that the library adds to a schema are no keywords', () => {
  assert.equal(fieldReader(Type.Unsafe({ type: 'string', '~mark': 1 }))('a', 'f'), 'a');
});
