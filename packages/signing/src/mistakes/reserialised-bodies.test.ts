import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reserialisedBodies, reserialisedBytesMax } from './reserialised-bodies.ts';

const rewrite = (text: string) => reserialisedBodies(new TextEncoder().encode(text));

test('JSON is written as other languages write it, once in each form', () => {
  const sent = ' {"b": [1,{"d":null, "c":"é/<"}],"a":{},"c":[]} ';
  assert.deepEqual(rewrite(sent), [
    '{"b": [1,{"d":null, "c":"é/<"}],"a":{},"c":[]}',
    `${sent}\n`,
    '{"b":[1,{"d":null,"c":"é/<"}],"a":{},"c":[]}',
    '{"b": [1, {"d": null, "c": "é/<"}], "a": {}, "c": []}',
    '{"b": [1, {"d": null, "c": "\\u00e9/<"}], "a": {}, "c": []}',
    '{"b":[1,{"d":null,"c":"\\u00e9/<"}],"a":{},"c":[]}',
    '{"b":[1,{"d":null,"c":"\\u00e9\\/<"}],"a":{},"c":[]}',
    '{"b":[1,{"d":null,"c":"é/\\u003c"}],"a":{},"c":[]}',
    JSON.stringify({ b: [1, { d: null, c: 'é/<' }], a: {}, c: [] }, null, 2),
    JSON.stringify({ b: [1, { d: null, c: 'é/<' }], a: {}, c: [] }, null, 4),
    '{"a":{},"b":[1,{"c":"é/<","d":null}],"c":[]}',
    '{"a": {}, "b": [1, {"c": "é/<", "d": null}], "c": []}',
    '{"a": {}, "b": [1, {"c": "\\u00e9/<", "d": null}], "c": []}',
  ]);
  assert.deepEqual(rewrite('1'), ['1', '1\n']);
});

test('a body that is empty, not JSON or not UTF-8 is not written again', () => {
  for (const text of ['', '{', 'text', '\ufeff{}']) assert.deepEqual(rewrite(text), []);
  assert.deepEqual(reserialisedBodies(Uint8Array.of(0x22, 0xff, 0x22)), []);
});

test('a body of 64 KiB is written again, a longer one is not', () => {
  const longest = `"${'x'.repeat(reserialisedBytesMax - 2)}"`;
  assert.deepEqual(rewrite(longest), [longest, `${longest}\n`]);
  assert.deepEqual(rewrite(`${longest} `), []);
});
