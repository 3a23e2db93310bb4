import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The names of the spans in the code, each of which is written where it begins. */
function spansInCode(): Set<string> {
  const files = globSync('packages/server/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const calls = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/\binSpan\(\s*([^,]+),/g),
  ]);
  const names = calls.map(([, name = '']) => /^'(.+)'$/.exec(name)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

test('docs/monitoring.md lists every span by its name', () => {
  const page = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
  const section = page.split(/^## /m).find((each) => each.startsWith('Traces\n')) ?? '';
  const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  const [request, ...others] = cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  assert.deepEqual(request, ['POST /user'], 'the first row is the request itself');
  assert.deepEqual(new Set(others.flat()), spansInCode());
});
