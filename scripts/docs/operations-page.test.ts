import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@fieldroster/contract';
import { operationsPage } from './operations-page.ts';
import { fieldsOf } from './schema-facts.ts';

test('the page lists every field of a request, including those of array entries', () => {
  const page = operationsPage();
  for (const { name, body } of Object.values(operations) as { name: string; body?: object }[]) {
    const section = page.split(`\n## ${name}\n`)[1]?.split('\nFields of `data`')[0] ?? '';
    for (const { name: field, schema } of fieldsOf(body)) {
      const entryFields = fieldsOf(schema.items).map((one) => `${field}[].${one.name}`);
      for (const path of [field, ...entryFields])
        assert.ok(section.includes(`| \`${path}\` |`), `${name}: ${path}`);
    }
  }
  assert.match(
    page,
    /\| `users\[\]\.password_hash` \| string \| no \| at most 512 characters \| .*`\$2b\$cost\$…`/,
  );
});

test('the limits of an array have its fewest entries, if it must have any', () => {
  const page = operationsPage();
  for (const name of ['users', 'stores'])
    assert.match(page, new RegExp(`\\| \`${name}\` \\| array of object \\| yes \\| 1 to 10000 entries \\|`));
  assert.match(
    page,
    /\| `store_codes` \| array of string \| no \| at most 50000 entries; each: not empty \|/,
  );
});
