import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemTexts } from '@fieldroster/contract/problems';
import { en } from './en.ts';
import { advice } from './zh/advice.ts';
import { answers } from './zh/answers.ts';
import { findings } from './zh/findings.ts';
import { hashProblems } from './zh/hash-problems.ts';
import { zh } from './zh.ts';

/** Stands for each value in the text of a problem; none is a word, so that whatever is English is the text itself. */
const values = new Proxy({}, { get: (_target, name) => samples[String(name)] ?? 7 });

/** Stands for each value in an answer, which is a text. */
const valuesOfAnswer = new Proxy({}, { get: () => '7' });

const samples: Readonly<Record<string, unknown>> = {
  processes: [{ pid: 7, host: '7' }],
  field: 'users[7].username',
  codes: ['"7"'],
  tables: ['7'],
  words: ['7'],
  encoding: 'GB18030',
  checks: [{ name: 'clock', inPart: true }],
  state: 'idle',
  hash: { key: 'argon2Form', values: {} },
  part: 'salt',
  cost: 'argon2Work',
  role: 'owner',
  own: 'viewer',
  found: [{ id: '7', path: '7' }],
};

/** Every text below a part of the texts, with the path to it. */
function* textsIn(part: unknown, path = ''): Iterable<readonly [path: string, text: string]> {
  if (typeof part === 'string') yield [path, part];
  else if (typeof part === 'function') yield* textsIn(part(...argumentsOf(path)), path);
  else if (typeof part === 'object' && part !== null)
    for (const [name, inner] of Object.entries(part)) yield* textsIn(inner, `${path}.${name}`);
}

function argumentsOf(path: string): readonly unknown[] {
  if (path === '.general.listed') return [['7', '8']];
  if (path.startsWith('.answers.')) return [valuesOfAnswer];
  if (path === '.lab.sayFault') return [{ header: 'Nonce', kind: 'empty' }];
  return takesValues.test(path) ? [values] : [7, 8, 9];
}

const takesValues = /^\.(?:problems|hashProblems|findings|advice)\.|^\.answers\.\d+\.say$/;

const texts = [...textsIn({ ...zh, hashProblems, findings, advice, answers })];

test('every problem of a row or a file has a Chinese text', () => {
  assert.deepEqual(Object.keys(zh.problems).toSorted(), Object.keys(problemTexts).toSorted());
  for (const [key, text] of textsIn({ problems: zh.problems })) assert.match(text, /\p{Script=Han}/u, key);
});

test('Chinese sentences have full-width punctuation', () => {
  for (const [path, text] of texts)
    assert.doesNotMatch(text, /\p{Script=Han}(?:[,;:!?()]|\s[,;:!?])|[,;:!?()]\p{Script=Han}/u, path);
});

/** Dates are written without spaces. */
const date = /\d+年\d+月\d+日/g;

test('a space separates Chinese from Latin letters and digits', () => {
  for (const [path, text] of texts)
    assert.doesNotMatch(
      text.replaceAll(date, ''),
      /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u,
      path,
    );
});

test('no text is left in English', () => {
  const english = new Map(textsIn(en));
  for (const [path, text] of texts) {
    if (english.get(path) === text) assert.doesNotMatch(text, /[a-z]{2,} [a-z]{2,}/, path);
    if (takesValues.test(path)) assert.match(text, /^(?=.*\p{Script=Han}).*[。？]$/u, path);
  }
});
