import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentMd5 } from '../content-md5.ts';
import { stringToSign } from '../string-to-sign.ts';
import { type RightParts, rightParts } from './mistake.ts';
import { commonKeyMistakes, commonTexts, textsWithTwoMistakes } from './two-mistakes.ts';

const timestamp = '1767225600';
const nonce = 'n-0nce';
const head = `${timestamp}\n${nonce}\n`;

/** Returns the parts of the expected string to sign of a request whose resource is its target. */
function rightOf(method: string, target: string, text = ''): RightParts {
  const body = new TextEncoder().encode(text);
  const md5 = method === 'GET' ? undefined : contentMd5(body);
  const right = stringToSign({ method, contentMd5: md5, timestamp, nonce, canonicalResource: target });
  return rightParts({ method, target, timestamp, nonce, body }, right);
}

const get = rightOf('GET', '/api/user?a=1&b=2');
const post = rightOf('POST', '/api/user?a=1&b=2', '{"username":"lî/a","id":1}');

function pairsOf(right: RightParts): readonly string[] {
  return [...textsWithTwoMistakes(right)].map(([{ name }]) => name);
}

test('a Content-MD5 in hexadecimal digits goes with mistakes in the query and in other lines', () => {
  const texts = new Map([...textsWithTwoMistakes(post)].map(([{ name }, text]) => [text, name]));
  const hex = Buffer.from(post.contentMd5 ?? '', 'base64').toString('hex');
  const signed = (lines: string) => texts.get(`POST\n${hex}\n${lines}`);
  assert.equal(signed(`${head}/api/user`), 'content-md5-hex+query-missing');
  assert.equal(signed(`${head}/user?a=1&b=2`), 'content-md5-hex+path-prefix');
  assert.equal(signed(`${timestamp}000\n${nonce}\n${post.target}`), 'content-md5-hex+timestamp-milliseconds');
  assert.equal(signed(`${nonce}\n${timestamp}\n${post.target}`), 'content-md5-hex+order-of-lines');
});

test('a pair has two different mistakes, at most one of them in the query', () => {
  for (const right of [get, post]) {
    const pairs = pairsOf(right).map((name) => name.split('+'));
    assert.ok(pairs.length > 50, String(pairs.length));
    for (const [first = '', second = ''] of pairs) {
      assert.notEqual(first, second);
      assert.ok(!(first.startsWith('query-') && second.startsWith('query-')), `${first}+${second}`);
    }
  }
});

test('a text whose lines are no longer known gets no second mistake in a line', () => {
  for (const right of [get, post]) {
    const pairs = pairsOf(right);
    assert.ok(pairs.includes('path-slash+timestamp-milliseconds'));
    for (const first of ['method-case', 'line-separator'])
      assert.ok(!pairs.includes(`${first}+timestamp-milliseconds`), first);
  }
});

test('first mistakes are those in the body, the query and the layout, except other orders of the lines', () => {
  const names = new Set([...commonTexts(rightOf('GET', '/user?a=1'))].map(([{ name }]) => name));
  for (const name of ['content-md5-needless', 'query-missing', 'method-case', 'resource-missing'])
    assert.ok(names.has(name), name);
  assert.ok(!names.has('order-of-lines'));
});

test('at most 48 texts get a second mistake, and none of a target of more than 2,048 characters', () => {
  assert.equal([...commonTexts(post)].length, 48);
  const longest = `/user?a=${'x'.repeat(2_040)}`;
  assert.equal(longest.length, 2_048);
  assert.ok([...commonTexts(rightOf('GET', longest))].length > 10);
  assert.deepEqual([...commonTexts(rightOf('GET', `${longest}x`))], []);
});

test('only common wrong keys go with a wrong text', () => {
  assert.deepEqual(
    commonKeyMistakes.map(({ name }) => name),
    ['secret-white-space', 'secret-quoted', 'secret-decoded', 'secret-case', 'secret-is-appid'],
  );
});
