import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditedOperations } from './audited-operations.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

test('every field of a body that is named after a password is marked as a secret', () => {
  const marked = new Set<string>();
  for (const { name, body } of Object.values<Operation>(operations)) {
    for (const [field, schema] of fieldsOf(body)) {
      if (!field.includes('password')) continue;
      assert.equal(schema.writeOnly, true, `${name}: ${field}`);
      marked.add(`${name}: ${field}`);
    }
  }
  assert.ok(marked.has('batch-users: password_hash'), 'fields of entries are found');
});

test('the audit trail can be filtered for every operation that changes something, and for no other', () => {
  const every = Object.values<Operation>(operations);
  const reading = every.filter(({ access }) => access === 'read').map(({ name }) => name);
  const audited = new Set<string>(auditedOperations);
  for (const { name, access } of every) if (access !== 'read') assert.ok(audited.has(name), name);
  assert.deepEqual(
    reading.filter((name) => audited.has(name)),
    ['check-password'],
  );
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly writeOnly?: boolean;
}

/** Returns the fields of a schema, at any depth. */
function fieldsOf({ properties = {}, items }: Schema = {}): [string, Schema][] {
  const fields = Object.entries(properties);
  return [
    ...fields,
    ...(items === undefined ? [] : fieldsOf(items)),
    ...fields.flatMap(([, field]) => fieldsOf(field)),
  ];
}
