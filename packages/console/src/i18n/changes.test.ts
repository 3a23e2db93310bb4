import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditedOperations, auditWords } from '@fieldroster/contract';
import { changes as english } from './en/changes.ts';
import { changes as chinese } from './zh/changes.ts';

/** What the values of these fields may be; the values of other fields are somebody's data. */
const choices = {
  status: ['active', 'disabled', 'suspended', 'revoked'],
  role: ['viewer', 'manager', 'owner'],
  state: ['running', 'good', 'failed'],
  all_tenants: ['true', 'false'],
  replaced_newest: ['true'],
  tenants: ['all'],
} as const;

const fields = [
  'audit_rows',
  'ext_info',
  'inserted',
  'key_id',
  'order',
  'previous_key_id',
  'problem',
  'purged_through',
  'system_id',
];

test('each word that the server writes into an audit row has a text in both languages, and no other has one', () => {
  for (const { values } of [english, chinese])
    assert.deepEqual(sortedWordsOf(values), sortedWordsOf({ ...auditWords, ...choices }));
});

test('fields that only the server sets have a text in both languages', () => {
  for (const texts of [english, chinese]) for (const field of fields) assert.ok(texts.fields[field], field);
});

test('each operation that the audit trail may hold has a text in both languages', () => {
  for (const texts of [english, chinese])
    for (const operation of auditedOperations) assert.ok(texts.operations[operation], operation);
});

test('both languages know the same operations, fields and words', () => {
  for (const part of ['operations', 'fields'] as const)
    assert.deepEqual(Object.keys(chinese[part]), Object.keys(english[part]));
  assert.deepEqual(wordsOf(chinese), wordsOf(english));
});

test('no Chinese text of a word is English', () => {
  for (const texts of Object.values(chinese.values))
    for (const text of Object.values(texts)) assert.doesNotMatch(text, /[a-z]/i);
});

/** Returns `field: word` for each word, sorted. */
function sortedWordsOf(
  values: Readonly<Record<string, readonly string[] | Readonly<Record<string, string>>>>,
): string[] {
  return Object.entries(values)
    .flatMap(([field, words]) =>
      (Array.isArray(words) ? words : Object.keys(words)).map((word) => `${field}: ${word}`),
    )
    .sort();
}

function wordsOf({ values }: typeof english): unknown {
  return Object.entries(values).map(([field, texts]) => [field, Object.keys(texts)]);
}
