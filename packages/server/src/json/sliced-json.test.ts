import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { breakOf, JsonProblem, notJson, stringifyExactJson } from './exact-json.ts';
import { type JsonLimits, SlicedJson } from './sliced-json.ts';

const limits: JsonLimits = {
  levelsMax: 1000,
  valuesMax: 1_000_000,
  namesMax: 1_000,
  nameBytesMax: 100_000,
  tokenBytesMax: 100_000,
};

/** @param sliceBytes so small that nearly every text is assembled from pieces */
function parse(text: string, sliceBytes = 1, own: Partial<JsonLimits> = {}): unknown {
  const json = new SlicedJson(Buffer.from(text), { ...limits, ...own }, { sliceBytes });
  while (!json.readSlice());
  return json.value;
}

function outcomeOf(work: () => unknown): { value: unknown } | { message: string } {
  try {
    return { value: work() };
  } catch (error) {
    assert.ok(error instanceof Error);
    return { message: error.message };
  }
}

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const mark = 'long integer ';

/**
 * Returns the outcome of parsing the whole text at once,
 * with long integers as marked strings and rounded fractions as NaN.
 */
function expectedOf(text: string) {
  return outcomeOf(() => {
    try {
      JSON.parse(text);
    } catch (error) {
      const position = breakOf(error, text);
      throw notJson(position, position === text.length);
    }
    const marked = text.replaceAll(stringOrNumber, (token) => {
      if (isRoundedFraction(token)) return `"${mark}fraction"`;
      return isLong(token) ? `"${mark}${token}"` : token;
    });
    return unmark(JSON.parse(marked));
  });
}

function isLong(token: string): boolean {
  return /^-?\d{1,19}$/.test(token) && !Number.isSafeInteger(Number(token));
}

function isRoundedFraction(token: string): boolean {
  if (token.startsWith('"') || !Number.isInteger(Number(token))) return false;
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', behindPoint = ''] = mantissa.split('.');
  const decimals = behindPoint.length - Number(exponent);
  // No token has a thousand digits, but broken texts may have exponents for which a power would not fit into memory.
  return decimals > 0 && BigInt(whole + behindPoint) % 10n ** BigInt(Math.min(decimals, 1000)) !== 0n;
}

function unmark(value: unknown): unknown {
  if (value === `${mark}fraction`) return Number.NaN;
  if (typeof value === 'string' && value.startsWith(mark)) return BigInt(value.slice(mark.length));
  if (typeof value !== 'object' || value === null) return value;
  // Defined, not assigned, because `__proto__` is a name like any other.
  for (const [name, part] of Object.entries(value))
    Object.defineProperty(value, name, { value: unmark(part) });
  return value;
}

const longNumber = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '9007199254740992',
    '9007199254740993',
    '1e16',
    '10000000000000001',
    '12345678901234567890',
    '0.99999999999999999999',
    '-1e-400',
    '20.00000000000000000e-1',
  ),
);
const word = fc.constantFrom(
  'a',
  'b',
  '__proto__',
  '0',
  '\u5f20',
  '\ud83e\udd9c',
  '"',
  '\\a',
  '\n',
  '[{',
  '',
);
const blank = fc.constantFrom('', '', '', ' ', '\n\t ');

/** JSON texts with white space, repeated names and long numbers. */
const { text: anyText } = fc.letrec<{ text: string; array: string; object: string }>((tie) => ({
  text: fc
    .tuple(
      blank,
      fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        longNumber,
        word.map((value) => JSON.stringify(value)),
        fc.constantFrom('0', '-1', '1e1', '1.5', 'true', 'false', 'null', '[]', '{}'),
        tie('array'),
        tie('object'),
      ),
      blank,
    )
    .map((parts) => parts.join('')),
  array: fc.array(tie('text'), { maxLength: 6 }).map((values) => `[${values.join(',')}]`),
  object: fc
    .array(fc.tuple(blank, word, blank, tie('text')), { maxLength: 6 })
    .map((entries) =>
      entries.map(([before, name, after, value]) => `${before}${JSON.stringify(name)}${after}:${value}`),
    )
    .map((entries) => `{${entries.join(',')}}`),
}));

const sliceSizes = fc.constantFrom(1, 2, 5, 20, 100);

test('a text in slices is parsed as the whole, wherever the slices end', () => {
  fc.assert(
    fc.property(anyText, sliceSizes, (text, sliceBytes) => {
      assert.deepEqual(
        outcomeOf(() => parse(text, sliceBytes)),
        expectedOf(text),
      );
    }),
    { numRuns: 5_000 },
  );
});

/**
 * A backslash in a name, followed by characters that make it look like an escape. Once V8 14.6 has parsed `{"a":1,"\\":2}`, it
 * reads the name `\` in `{"a":1,"\n":2}` too. The parser in slices does not.
 */
const misreadName = /\\\\["\\/bfnrtu]/;

test('a text that is not JSON is refused with the same message and position', () => {
  const piece = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '1', 'x', ' ', '\\', '\u5f20');
  const broken = fc.tuple(anyText, fc.nat(200), piece, fc.nat(2)).map(([text, at, put, taken]) => {
    const place = at % (text.length + 1);
    return (text.slice(0, place) + put + text.slice(place + taken)).toWellFormed();
  });
  const readAlike = broken.filter((text) => !misreadName.test(text));
  fc.assert(
    fc.property(readAlike, sliceSizes, (text, sliceBytes) => {
      assert.deepEqual(
        outcomeOf(() => parse(text, sliceBytes)),
        expectedOf(text),
      );
    }),
    { numRuns: 10_000 },
  );
});

test('every int64 keeps its digits, however large the text', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(fc.array(int64, { minLength: 1, maxLength: 50 }), (ids) => {
      const text = stringifyExactJson({ users: ids.map((id) => ({ id, nested: [{ id }] })) });
      const { users } = parse(text, 64) as { users: { id: bigint; nested: { id: bigint }[] }[] };
      assert.deepEqual(
        users.map(({ id }) => BigInt(id)),
        ids,
      );
      assert.deepEqual(
        users.map(({ nested }) => BigInt(nested[0]?.id ?? 0)),
        ids,
      );
    }),
  );
});

test('a parsed object has no other prototype, not even in slices', () => {
  const value = parse('{"a":{"__proto__":{"x":1},"b":[1,2,3]},"__proto__":[1]}') as { a: object };
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(Object.getPrototypeOf(value.a), Object.prototype);
  assert.deepEqual(Object.keys(value.a), ['__proto__', 'b']);
});

test('levels, values and the length of a token without its quotes are bounded, each named with its limit', () => {
  const tooLong = 'holds a string or number of more than 8 bytes; no field accepts one that long: shorten it';
  const tooLongName = 'holds a name of more than 8 bytes; send only the fields that the operation has';
  type Case = [text: string, own: Partial<JsonLimits>, message: string | undefined];
  const cases: readonly Case[] = [
    ['[[1]]', { levelsMax: 2 }, undefined],
    ['[[[]]]', { levelsMax: 2 }, 'is nested more than 2 levels deep; no operation needs more than a few'],
    ['[1,2,3]', { valuesMax: 4 }, undefined],
    ['[1,2,3,4]', { valuesMax: 4 }, 'holds more than 4 values; send it in several requests'],
    ['[{"a":1,"b":2},3]', { namesMax: 2 }, undefined],
    [
      '{"a":1,"b":2,"c":3}',
      { namesMax: 2 },
      'has an object with more than 2 names; send only the fields that the operation has',
    ],
    ['["12345678"]', { tokenBytesMax: 8 }, undefined],
    ['["123456\\n"]', { tokenBytesMax: 8 }, undefined],
    ['[12345678]', { tokenBytesMax: 8 }, undefined],
    ['12345678', { tokenBytesMax: 8 }, undefined],
    ['[123456789]', { tokenBytesMax: 8 }, tooLong],
    ['{"12345678":"123456789"}', { nameBytesMax: 8 }, undefined],
    ['{"123456789":0}', { nameBytesMax: 8 }, tooLongName],
    ['{"123456789', { nameBytesMax: 8 }, tooLongName],
    [
      '["12345678',
      { tokenBytesMax: 8 },
      'is not JSON: it ends too early, after 10 characters; let a JSON library write it',
    ],
    [
      '[tttttttt]',
      { tokenBytesMax: 8 },
      'is not JSON: it breaks after 2 characters; let a JSON library write it',
    ],
    ['[ttttttttt]', { tokenBytesMax: 8 }, tooLong],
    [
      '[1:"12345678\\n"]',
      { tokenBytesMax: 8 },
      'is not JSON: it breaks after 2 characters; let a JSON library write it',
    ],
    [
      '{"a":1:"12345678\\n"}',
      { tokenBytesMax: 8 },
      'is not JSON: it breaks after 6 characters; let a JSON library write it',
    ],
    ...['["1234567\\n"]', '["123456789\\n"]', '["12345678\n"]', '["123456789'].map(
      (text): Case => [text, { tokenBytesMax: 8 }, tooLong],
    ),
  ];
  for (const [text, own, message] of cases) {
    const work = () => parse(text, 32_768, own);
    if (message === undefined) work();
    else assert.throws(work, (error) => error instanceof JsonProblem && error.message === message, text);
  }
});

test('a longer string without escapes is cut, between characters, wherever a value may be', () => {
  const texts: readonly [text: string, expected: unknown][] = [
    ['["1234567"]', ['123456']],
    ['["123456 8\u007f"]', ['123456']],
    ['["12345é"]', ['12345']],
    ['["1234é5"]', ['1234é']],
    ['["123張"]', ['123張']],
    ['["1234張"]', ['1234']],
    ['["123456789","b"]', ['123456', 'b']],
    ['{"a":"123456789","b":[{"c":"123456789"},1]}', { a: '123456', b: [{ c: '123456' }, 1] }],
    ['"123456789"', '123456'],
  ];
  for (const [text, expected] of texts) {
    for (const sliceBytes of [1, 4, 32_768])
      assert.deepEqual(parse(text, sliceBytes, { tokenBytesMax: 6 }), expected, text);
  }
  assert.throws(() => parse('["123456789" "b"]', 32_768, { tokenBytesMax: 6 }), JsonProblem);
});

test('the parser does not get what was cut from a long string', () => {
  const parsed: string[] = [];
  const bytes = Buffer.from(`{"a":"123456${'7'.repeat(1_000)}" ,"b":["c"]}`);
  const ownLimits = { ...limits, tokenBytesMax: 6 };
  const parse = (text: string) => {
    parsed.push(text);
    return JSON.parse(text);
  };
  const json = new SlicedJson(bytes, ownLimits, { sliceBytes: 100, parse });
  while (!json.readSlice());
  assert.deepEqual(json.value, { a: '123456', b: ['c'] });
  assert.deepEqual(parsed, ['{}', '{"a":"123456" }', '{"b":["c"]}']);
});

/** Returns the texts that the parser gets. */
function piecesOf(text: string, sliceBytes?: number): string[] {
  const pieces: string[] = [];
  const parse = (piece: string) => {
    pieces.push(piece);
    return JSON.parse(piece);
  };
  const json = new SlicedJson(Buffer.from(text), limits, {
    parse,
    ...(sliceBytes !== undefined && { sliceBytes }),
  });
  while (!json.readSlice());
  assert.deepEqual(json.value, JSON.parse(text));
  return pieces;
}

test('a text that fits a slice is parsed at once, and a longer one in as few pieces as slices', () => {
  assert.deepEqual(piecesOf('{"a":[1,2],"b":3}'), ['{"a":[1,2],"b":3}']);
  assert.deepEqual(piecesOf('[1234,5]', 6), ['[1234,5]']);
  assert.deepEqual(piecesOf('[1234,5]', 5), ['[]', '[1234]', '[5]']);
});

test('by default, a slice is 32 KiB', () => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, () => 0)).padEnd(64 * 1024);
  const json = new SlicedJson(Buffer.from(text), limits);
  assert.deepEqual([json.readSlice(), json.readSlice()], [false, true]);
});

test('nothing may follow a comma or a colon but a value, wherever the slices end', () => {
  for (const text of ['[1,]', '[[1],]', '[,]', '{"a":}', '{"a":1,}', '{"a":{},}', '{"a":[1],"b":}', '{,}']) {
    for (const sliceBytes of [1, 2, 100])
      assert.deepEqual(
        outcomeOf(() => parse(text, sliceBytes)),
        expectedOf(text),
        text,
      );
  }
});

test('in a text too long to be searched, the place of an error is not told unless the parser knows it', () => {
  const message = 'is not JSON: it ends too early, or has a stray character; let a JSON library write it';
  const text = `[${'0,'.repeat(40_000)}x]`;
  assert.deepEqual(
    outcomeOf(() => parse(text, text.length)),
    { message },
  );
});

test('a slice parses a bounded part of the text, whatever the text', () => {
  const [sliceBytes, tokenBytesMax] = [1_000, 1_000];
  const name = JSON.stringify('n'.repeat(1_000));
  const string = JSON.stringify('s'.repeat(1_000));
  const zeros = '0,'.repeat(600);
  const blanks = ' '.repeat(50_000);
  const brackets = ` ${' '.repeat(200)}]`.repeat(100);
  const texts = [
    `{${name}:`.repeat(100) + string + '}'.repeat(100),
    `${'['.repeat(100)}${string}${brackets}`,
    `{"x":[${zeros}0${blanks}1,"users":[]}`,
    `{"x":[${zeros}0${blanks}],"users":[]}`,
    ...['[1]', '{"a":[{"b":1}],"c":2}'].flatMap((text) => [blanks + text, text + blanks]),
    `{"a"${blanks}:${blanks}[${blanks}{}${blanks}]${blanks}}`,
    `{"a":[1],"b":[${zeros}[2]${blanks}]${blanks}}`,
    ...[string, '1 ', 'true ', ': ', ', ', '[]', '{} '].map(
      (token) => `[${token.repeat(50_000 / token.length)}`,
    ),
  ];
  for (const text of texts) {
    let parsed = 0;
    const parse = (piece: string) => {
      parsed += piece.length;
      return JSON.parse(piece);
    };
    const json = new SlicedJson(Buffer.from(text), { ...limits, tokenBytesMax }, { sliceBytes, parse });
    const outcome = outcomeOf(() => {
      for (let isOver = false; !isOver; ) {
        parsed = 0;
        isOver = json.readSlice();
        assert.ok(parsed <= 30_000, `${parsed} characters of ${text.slice(0, 20)}… at once`);
      }
      return json.value;
    });
    assert.deepEqual(outcome, expectedOf(text));
  }
});

test('an error before or after a cut is told by its place in the text', () => {
  const blanksBehind = `["123456789"${' '.repeat(300)}x]`;
  for (const text of [
    '["123456789" "b"]',
    '[x"123456789"]',
    '["123456789",x]',
    '["123456789"]]',
    '[tru,"123456789"]',
    blanksBehind,
  ]) {
    for (const sliceBytes of [1, 4, 32_768]) {
      const uncut = outcomeOf(() => parse(text, sliceBytes));
      assert.deepEqual(
        outcomeOf(() => parse(text, sliceBytes, { tokenBytesMax: 8 })),
        uncut,
        text,
      );
    }
  }
});
