import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentMd5 } from '../content-md5.ts';
import { stringToSign } from '../string-to-sign.ts';
import { textsInCharsets } from './charset-mistakes.ts';
import { rightParts } from './mistake.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const request = { target: '/user', timestamp: '1767225600', nonce: 'n-0nce' };

/** Returns what is tried for a request with this body, and its expected string to sign. */
function tried(method: string, body: Uint8Array, target = request.target) {
  const md5 = method === 'GET' ? undefined : contentMd5(body);
  const right = stringToSign({ ...request, method, contentMd5: md5, canonicalResource: target });
  const parts = rightParts({ ...request, method, target, body }, right);
  return { right, texts: [...textsInCharsets(parts, [right])] };
}

const namesOf = ({ texts }: Pick<ReturnType<typeof tried>, 'texts'>) =>
  new Set(texts.map(({ mistake }) => mistake.name));

test('a string with characters beyond ASCII is tried in each charset, in the bytes of that charset', () => {
  const { right, texts } = tried('GET', encode(''), '/user?name=é');
  assert.ok(texts.length > 5);
  for (const { mistake, text, bytes } of texts) {
    assert.deepEqual([mistake.name, text], ['string-charset', right]);
    assert.notDeepEqual(bytes, encode(text));
  }
});

test('nothing is tried that is the same in UTF-8', () => {
  const { right, texts } = tried('POST', encode('{"a":1}'));
  for (const { text, bytes } of texts) assert.ok(text !== right || !Buffer.from(bytes).equals(encode(text)));
});

test('text in ASCII is tried in UTF-16 only', () => {
  const { texts } = tried('POST', encode('{"a":1}'));
  assert.deepEqual(namesOf({ texts }), new Set(['string-charset', 'body-charset']));
  for (const { mistake } of texts) assert.match(mistake.cause, /in UTF-16 /);
});

test('a body in UTF-16 is tried below a string in UTF-16, and below one in UTF-8', () => {
  const body = Buffer.from('{"a":1}');
  const md5 = contentMd5(Buffer.from('{"a":1}', 'utf16le'));
  const found = tried('POST', body).texts.filter(({ text }) => text.split('\n')[1] === md5);
  const [first] = found;
  assert.deepEqual(
    found.map(({ bytes }) => Buffer.from(bytes)),
    [Buffer.from(first?.text ?? '', 'utf16le'), Buffer.from(first?.text ?? '')],
  );
});

test('a body that is not digested is not encoded again', () => {
  assert.deepEqual(namesOf(tried('GET', encode('é'))), new Set(['string-charset']));
  assert.ok(namesOf(tried('POST', encode('é'))).has('body-charset'));
});

test('a body of 16 KiB is encoded again, a longer one is not', () => {
  const longest = `é${'x'.repeat(16_382)}`;
  assert.equal(encode(longest).length, 16_384);
  assert.ok(namesOf(tried('POST', encode(longest))).has('body-charset'));
  assert.deepEqual(namesOf(tried('POST', encode(`${longest}x`))), new Set(['string-charset']));
});

test('a body that is not UTF-8 is decoded only from the charsets that it can be in', () => {
  const texts = tried('POST', Buffer.from('"é"', 'latin1')).texts.filter(
    ({ mistake }) => mistake.name === 'body-sent-in-charset',
  );
  const [only] = texts;
  assert.equal(texts.length, 1);
  assert.match(only?.mistake.cause ?? '', /^the body was sent in windows-1252 /);
  assert.equal(only?.text.split('\n')[1], contentMd5(encode('"é"')));
});
