import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mistakes } from './zh/mistakes.ts';

const folder = new URL('../../../signing/src/mistakes/', import.meta.url);

const sources = /(?<!\.test)\.ts$/;

test('each mistake that the server or the signature lab names has a Chinese sentence', () => {
  const texts = readdirSync(folder).filter((file) => sources.test(file));
  const names = texts.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/\bname: '([a-z0-9-]+)',$/gm)].map(
      ([, name]) => name,
    ),
  );
  assert.deepEqual(Object.keys(mistakes).toSorted(), [...new Set(names)].toSorted());
  for (const text of Object.values(mistakes)) assert.match(text, /。$/);
});
