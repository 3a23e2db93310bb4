import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, operations } from '@fieldroster/contract';
import { charactersMax, type SourceRow, UserRows, userFields } from './index.ts';

interface Schema {
  readonly maxLength?: number;
}

const read = (values: readonly unknown[], fields: Parameters<UserRows['next']>[1]) => {
  const users = new UserRows({ storeSeparator: ';', clearEmpty: false, mayBeGuarded: true });
  return users.next({ line: 2, names: [], values } satisfies SourceRow, fields);
};

test('a value fails its row at the limit that the interface has for it', () => {
  const { users } = operations.batchUsers.body.properties;
  const { properties } = (users as unknown as { items: { properties: Record<string, Schema> } }).items;
  for (const field of userFields) {
    const { maxLength } = properties[field] ?? {};
    assert.equal(charactersMax[field], maxLength, field);
    if (maxLength === undefined) continue;
    const fields = field === 'username' ? [field] : (['username', field] as const);
    const row = (length: number) =>
      read([...(fields.length > 1 ? ['ada'] : []), '😀'.repeat(length)], fields);
    assert.equal(row(maxLength).problem, undefined, field);
    const { problem } = row(maxLength + 1);
    assert.equal(problem, `${field} must be at most ${maxLength} characters; it has ${maxLength + 1}`);
  }
});

test('a store code that is longer than any fails its row, and so does a row that is larger than a request', () => {
  const max = limits.storeCodeCharactersMax;
  const fields = ['username', 'store_codes'] as const;
  assert.equal(read(['ada', `S1;${'x'.repeat(max)}`], fields).problem, undefined);
  assert.equal(
    read(['ada', `S1;${'x'.repeat(max + 1)}`], fields).problem,
    `store_codes has a code of ${max + 1} characters; a store code has at most ${max}`,
  );
  const codes = Array.from({ length: 90_000 }, () => 'x'.repeat(max));
  assert.match(
    read(['ada', codes.join(';')], fields).problem ?? '',
    /^the row has 9270\d\d\d bytes as JSON; at most 8388608 fit into a request: give the user fewer stores$/,
  );
});

test('a problem quotes only the beginning of a huge value', () => {
  const { problem = '' } = read(['ada', '7'.repeat(3_000_000)], ['username', 'role_id']);
  assert.equal(problem, `role_id is "${'7'.repeat(100)}…"; it must be a whole number`);
  const mangled = read(['ada', `1.${'3'.repeat(3_000_000)}E+5`], ['username', 'phone']);
  assert.match(mangled.problem ?? '', /^phone is 1\.3{98}…, a number that a spreadsheet has shortened;/);
});
