import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import * as lists from './test-lists.ts';

const root = resolve(import.meta.dirname, '../..');

// A list with the former name of a file would drop its tests on PostgreSQL, or run them beside others, unnoticed.
for (const [name, paths] of Object.entries(lists)) {
  test(`every path in ${name} exists`, () => {
    const missing = paths.filter((path) => !existsSync(join(root, path)));
    assert.deepEqual(missing, []);
  });
}
