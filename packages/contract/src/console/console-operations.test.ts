import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleOperation, consoleOperations } from './index.ts';

/** Names of fields that a later call never returns, such as `app_secret`. */
const secretNames = /^(\w+_)?secret$|^token$|^recovery_codes$/;

test('exactly the operations whose answer has a secret are marked as answered once', () => {
  const operations = Object.values<ConsoleOperation>(consoleOperations);
  const withSecret = operations.filter(({ data }) =>
    Object.entries(data?.properties ?? {}).some(
      ([field, schema]) => secretNames.test(field) || /shown only once/i.test(JSON.stringify(schema)),
    ),
  );
  const marked = operations.filter(({ answeredOnce }) => answeredOnce);
  assert.deepEqual(
    marked.map(({ name }) => name),
    withSecret.map(({ name }) => name),
  );
  assert(marked.length > 0);
});
