import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes } from '@fieldroster/contract';
import { consoleErrorCodes } from '@fieldroster/contract/console';
import { refusals as english } from './en/refusals.ts';
import { refusals as chinese } from './zh/refusals.ts';

test('refusals have a text in both languages, for codes that exist', () => {
  assert.deepEqual(Object.keys(chinese), Object.keys(english));
  const catalogue = { ...errorCodes, ...consoleErrorCodes };
  assert.deepEqual(
    Object.keys(english).filter((code) => !(code in catalogue)),
    [],
  );
});

test('no refusal tells the reader of a page to change a request', () => {
  for (const texts of [english, chinese])
    for (const text of Object.values(texts)) assert.doesNotMatch(text, /force|send |request/i);
});
