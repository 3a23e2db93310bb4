import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseExactJson, parseWithMarks, stringifyExactJson } from './exact-json.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

const leaf = fc.oneof(
  int64.map((value) => ({ text: String(value), value: exact(value) })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
    .map((value) => parsed(JSON.stringify(value))),
  fc.string({ unit: 'binary' }).map((value) => parsed(JSON.stringify(value))),
  int64.map((digits) => parsed(JSON.stringify(`say "${digits}" \\`))),
  fc.constantFrom('true', 'false', 'null', '1e400', '12345678901234567890.5', '-1E+20').map(parsed),
);

function exact(value: bigint): unknown {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function parsed(text: string): { text: string; value: unknown } {
  return { text, value: JSON.parse(text) };
}

const { document } = fc.letrec<{ document: { text: string; value: unknown } }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('document'), { maxLength: 4 }).map((items) => ({
      text: `[${items.map(({ text }) => text).join(' , ')}]`,
      value: items.map(({ value }) => value),
    })),
    fc
      .uniqueArray(fc.tuple(fc.string(), tie('document')), { maxLength: 4, selector: ([name]) => name })
      .map((members) => ({
        text: `{${members.map(([name, { text }]) => `${JSON.stringify(name)}: ${text}`).join(',\n')}}`,
        value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
      })),
  ),
}));

/** Removes the reviver's third argument, as in runtimes without source text access. */
function withoutSourceText<T>(work: () => T): T {
  const { parse } = JSON;
  JSON.parse = (text: string, reviver?: (key: string, value: unknown) => unknown) =>
    parse(text, reviver && ((key: string, value: unknown) => reviver(key, value)));
  try {
    return work();
  } finally {
    JSON.parse = parse;
  }
}

describe('parseExactJson', () => {
  test('keeps every digit of every int64, and everything else as it is', () => {
    fc.assert(
      fc.property(document, ({ text, value }) => {
        // A parsed object may have an own member named __proto__.
        assert.deepEqual(parseExactJson(text), value);
      }),
    );
  });

  test('does the same in a runtime without source text access', () => {
    withoutSourceText(() =>
      fc.assert(
        fc.property(document, ({ text, value }) => {
          assert.deepEqual(parseExactJson(text), value);
        }),
      ),
    );
  });

  test('uses marks if the runtime does not give the source text', () => {
    const text = '{"id":9007199254740993,"name":"9007199254740993"}';
    const expected = { id: 9007199254740993n, name: '9007199254740993' };
    assert.deepEqual(
      withoutSourceText(() => parseExactJson(text)),
      expected,
    );
    assert.deepEqual(parseWithMarks(text), expected);
  });

  for (const text of [
    '',
    '{',
    '{"id":01234567890123456789}',
    '[12345678901234567890',
    '{"a":1234567890123456789 2}',
  ]) {
    test(`refuses ${JSON.stringify(text)} in both ways`, () => {
      assert.throws(() => parseExactJson(text), SyntaxError);
      assert.throws(() => parseWithMarks(text), SyntaxError);
    });
  }

  test('parses a long text without overflowing the stack', () => {
    const text = JSON.stringify({ text: '\\"'.repeat(500_000), digits: '1234567890123456789' });
    assert.deepEqual(parseWithMarks(text), JSON.parse(text));
  });
});

test('stringifyExactJson writes every bigint with all its digits, and everything else as JSON.stringify does', () => {
  const plain = fc.jsonValue();
  fc.assert(
    fc.property(int64, plain, (id, value) => {
      assert.equal(stringifyExactJson(value), JSON.stringify(value));
      const written = stringifyExactJson({ id, inner: [{ id, value, left: undefined }] });
      assert.equal(written, `{"id":${id},"inner":[{"id":${id},"value":${JSON.stringify(value)}}]}`);
    }),
  );
});
