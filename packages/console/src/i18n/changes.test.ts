import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditedOperations } from '@fieldroster/contract';
import { changes as english } from './en/changes.ts';
import { changes as chinese } from './zh/changes.ts';

/** The words that the server itself writes into audit rows; every other value is somebody's data. */
const words = {
  password: ['set', 'replaced', 'rehashed', 'changed'],
  second_factor: ['asked for', 'on', 'off'],
  status: ['active', 'disabled', 'suspended', 'revoked'],
  role: ['viewer', 'manager', 'owner'],
  state: ['running', 'good', 'failed'],
  all_tenants: ['true', 'false'],
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

test('each word that the server writes into an audit row has a text in both languages', () => {
  for (const texts of [english, chinese]) {
    for (const [field, values] of Object.entries(words))
      for (const value of values) assert.ok(texts.values[field]?.[value], `${field}: ${value}`);
    for (const field of fields) assert.ok(texts.fields[field], field);
  }
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

function wordsOf({ values }: typeof english): unknown {
  return Object.entries(values).map(([field, texts]) => [field, Object.keys(texts)]);
}
