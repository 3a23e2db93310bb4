import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseExactJson, parsePrintableJson, stringifyExactJson } from './exact-json.ts';

test('every int64 survives writing and reading, alone and deeply nested', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(int64, (value) => {
      const text = stringifyExactJson({ id: value, list: [{ value }] });
      assert.equal(text, `{"id":${value},"list":[{"value":${value}}]}`);
      const read = parseExactJson(text) as { id: number | bigint; list: { value: number | bigint }[] };
      assert.equal(BigInt(read.id), value);
      assert.equal(BigInt(read.list[0]?.value ?? 0), value);
    }),
  );
});

test('an integer that a number holds exactly is a number, the next one a bigint', () => {
  assert.equal(parseExactJson('9007199254740991'), 9007199254740991);
  assert.equal(parseExactJson('9007199254740992'), 9007199254740992n);
  assert.equal(parseExactJson('-9007199254740991'), -9007199254740991);
  assert.equal(parseExactJson('-9007199254740993'), -9007199254740993n);
});

test('any other JSON is read as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const plain = JSON.parse(text, (_key, value) => value);
      const unsafe = JSON.stringify(plain).match(/\d{16}/) !== null;
      if (!unsafe) assert.deepEqual(parseExactJson(text), plain);
    }),
  );
});

test('long digits within a string stay a string, and a fraction stays a fraction', () => {
  assert.deepEqual(parseExactJson('{"phone":"9007199254740993","x":0.12345678901234567}'), {
    phone: '9007199254740993',
    x: 0.12345678901234566,
  });
});

test('a fraction that a number would round to an integer stays a fraction', () => {
  const rounded = [
    '0.99999999999999999999',
    '-0.99999999999999999999',
    '1.0000000000000000000001',
    '1e-400',
    '-2E-400',
  ];
  for (const text of [
    ...rounded,
    '103.00000000000000001',
    '99999999.9999999999',
    '12345678901234567890123e-3',
    '1.5e-0400',
  ])
    assert.ok(!Number.isInteger((parseExactJson(`[${text}]`) as unknown[])[0]), text);
  for (const [text, value] of [
    ['1.0', 1],
    ['1e2', 100],
    ['10e-1', 1],
    ['0e-400', 0],
    ['-0.0000000000000000000', -0],
    ['12.50000000000000000000e1', 125],
  ])
    assert.deepEqual(parseExactJson(`[${text}]`), [value]);
});

test('invalid JSON throws a SyntaxError, with long digits too', () => {
  for (const text of ['{', '{"a":9007199254740993', '01', '']) {
    assert.throws(() => parseExactJson(text), SyntaxError);
  }
});

test('JSON.stringify writes a value parsed for printing as it was', () => {
  const text =
    '{"id":9007199254740993,"list":[-9223372036854775808,{"at":1}],"text":"9007199254740993","no":null}';
  assert.equal(JSON.stringify(parsePrintableJson(text)), text);
  fc.assert(
    fc.property(fc.jsonValue(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }), (value, id) => {
      const written = stringifyExactJson({ value, id });
      assert.equal(JSON.stringify(parsePrintableJson(written)), written);
    }),
  );
});
