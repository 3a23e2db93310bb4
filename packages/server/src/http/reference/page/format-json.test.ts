import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatJson } from './format-json.ts';

function formatted(text: string): string | undefined {
  return formatJson(text)
    ?.map((piece) => piece.text)
    .join('');
}

test('any JSON is laid out as by JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      assert.equal(formatted(JSON.stringify(value)), JSON.stringify(value, null, 2));
    }),
  );
});

test('a number keeps the digits that it was sent with', () => {
  const text = '{"id":9223372036854775807,"ids":[9007199254740993,-1.50,1e400]}';
  assert.equal(formatted(text)?.replaceAll(/\s/g, ''), text);
});

test('each piece is marked as a key, a string, a number or a word', () => {
  const pieces = formatJson('{"a":"b","c":-1,"d":null}') ?? [];
  const kinds = pieces
    .filter(({ kind }) => kind !== 'mark')
    .map(({ kind, text }) => `${kind} ${text.trim()}`);
  assert.deepEqual(kinds, ['key "a"', 'string "b"', 'key "c"', 'number -1', 'key "d"', 'word null']);
});

test('text that is not JSON stays as it is', () => {
  for (const text of ['', '<html>', '{"a":1', '{"a":1}}']) assert.equal(formatJson(text), undefined);
});
