import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { consoleSources } from './ensure-console.ts';

const configuration = new URL('../packages/console/vite.config.ts', import.meta.url);

test('the console is built again after a change of what its build imports', () => {
  const imported = readFileSync(configuration, 'utf8').matchAll(/from '(\.\/[^']+)'/g);
  const paths = Array.from(imported, ([, path = '']) => fileURLToPath(new URL(path, configuration)));
  assert.ok(paths.length > 0);
  const sources = consoleSources();
  for (const path of paths) assert.ok(sources.includes(path), path);
  for (const source of sources) assert.ok(existsSync(source), source);
});
