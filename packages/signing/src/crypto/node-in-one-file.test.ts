import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../', import.meta.url));

test('only crypto/node.ts depends on Node.js', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  assert.ok(files.length >= 10);
  const dependent = files.filter((file) =>
    /\bnode:|\bBuffer\b|\bprocess\b/.test(readFileSync(source + file, 'utf8')),
  );
  assert.deepEqual(dependent, ['crypto/node.ts']);
});
