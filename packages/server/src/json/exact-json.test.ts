import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  breakOf,
  JsonProblem,
  notJson,
  parseExactJson,
  parsePrintableJson,
  stringifyExactJson,
} from './exact-json.ts';

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
    '9007199254740993.5',
    '-1234567890123456789.5',
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
    ['-0e-400', -0],
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

function breakIn(text: string): number | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    return breakOf(error, text);
  }
  return assert.fail(`${text} is JSON`);
}

test('the character at which a text stops being JSON is found, whether or not the parser tells it', () => {
  const cases: readonly [text: string, position: number][] = [
    ['', 0],
    ['{', 1],
    ['[1,2', 4],
    ['"abc', 4],
    ['[1 2]', 3],
    ['{"a":1,}', 7],
    ['x', 0],
    ['nulx', 3],
    ['[true,fals]', 10],
    [`[${'1,'.repeat(5_000)}x]`, 10_001],
    ['{"a":1}}', 7],
    ['{"a":"é at position 3"x', 22],
  ];
  for (const [text, position] of cases) assert.equal(breakIn(text), position, text.slice(0, 40));
});

test('in a text of more than 64 KiB, the parser alone tells where it breaks', () => {
  const blanks = (length: number) => ' '.repeat(length);
  assert.equal(breakIn(`${blanks(65_535)}x`), 65_535);
  assert.equal(breakIn(`${blanks(65_536)}x`), undefined);
  assert.equal(breakIn(`[1${blanks(65_536)}2`), 65_538);
  assert.equal(breakIn(`[${blanks(65_536)}`), 65_537);
});

test('only an error of the parser has a place in the text', () => {
  assert.equal(breakOf(new TypeError('unexpected in JSON at position 3'), '[1 2]'), undefined);
});

test('a text that is not JSON is refused with the number of characters that could begin one', () => {
  const said = (...[position, isEnd]: Parameters<typeof notJson>) => {
    const problem = notJson(position, isEnd);
    assert(problem instanceof JsonProblem);
    return problem.message;
  };
  assert.equal(said(1, false), 'is not JSON: it breaks after 1 character; let a JSON library write it');
  assert.equal(
    said(0, true),
    'is not JSON: it ends too early, after 0 characters; let a JSON library write it',
  );
  assert.equal(
    said(undefined, false),
    'is not JSON: it ends too early, or has a stray character; let a JSON library write it',
  );
});
