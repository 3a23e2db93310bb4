import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bodyMistakes } from './body-mistakes.ts';
import { charsetMistakes } from './charset-mistakes.ts';
import { keyMistakes } from './key-mistakes.ts';
import { layoutMistakes, timestampMilliseconds } from './layout-mistakes.ts';
import { bothMistakes } from './mistake.ts';
import { namesOfCause } from './names-of-cause.ts';
import { queryMistakes } from './query-mistakes.ts';
import { formMistakes } from './signature-forms.ts';

const all = [
  bodyMistakes,
  charsetMistakes,
  keyMistakes,
  layoutMistakes,
  [timestampMilliseconds],
  queryMistakes,
  formMistakes,
].flat();

test('the cause of every mistake leads back to its name, alone and with another one', () => {
  const [first] = bodyMistakes;
  assert(first !== undefined);
  for (const mistake of all) {
    assert.deepEqual(namesOfCause(mistake.cause), [mistake.name]);
    assert.deepEqual(namesOfCause(bothMistakes(mistake, first).cause), [mistake.name, first.name]);
  }
});

test('no mistake is left out', () => {
  const folder = new URL('.', import.meta.url);
  const sources = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'));
  const named = sources.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/\bname: '([a-z0-9-]+)',$/gm)].map(
      ([, name]) => name,
    ),
  );
  const known = all.flatMap(({ cause }) => namesOfCause(cause));
  assert.deepEqual([...new Set(known)].toSorted(), [...new Set(named)].toSorted());
});

test('a cause that this release does not give, or only a part of one, has no name', () => {
  const [mistake] = bodyMistakes;
  assert(mistake !== undefined);
  for (const cause of [
    '',
    'the disk is full',
    mistake.cause.slice(1),
    `${mistake.cause}; besides, the disk is full`,
  ])
    assert.deepEqual(namesOfCause(cause), []);
});
