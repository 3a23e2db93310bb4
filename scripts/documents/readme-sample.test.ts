import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const text = readme.replaceAll(/\s+/g, ' ');

/** Returns the rows of a file of the sample directory, split at commas and keyed by their first values. */
function sample(name: string): Map<string, readonly string[]> {
  const file = readFileSync(new URL(`packages/cli/sample/${name}.csv`, root), 'utf8');
  const [, ...lines] = file.trim().split('\n');
  return new Map(lines.map((line) => [line.split(',')[0] ?? '', line.split(',')]));
}

test('the README lists what the sample directory has', () => {
  const [roles, orgs, stores] = [sample('roles'), sample('orgs'), sample('stores')];
  assert.ok(
    text.includes(
      `**roles** 1 to ${roles.size}, such as 1 ${roles.get('1')?.[1]} and 2 ${roles.get('2')?.[1]}`,
    ),
  );
  assert.ok(text.includes(`**organizations** 1 ${orgs.get('1')?.[1]}, its regions 10 and 20`));
  assert.deepEqual([...orgs.keys()].sort(), ['1', '10', '11', '12', '13', '20', '21', '22', '23']);
  const codes = Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(3, '0'));
  assert.deepEqual(
    [...stores.keys()],
    [...codes.map((code) => `N-${code}`), ...codes.map((code) => `S-${code}`)],
  );
  assert.ok(text.includes('**stores** `N-001` to `N-020` and `S-001` to `S-020`'));
  const users = sample('users').size;
  assert.ok(text.includes(`${users} **users** with the ids 1 to ${users}`));
  assert.ok(text.includes(`the first user that you create gets the id ${users + 1}`));
});

test('the README is short', () => {
  const lines = readme.trimEnd().split('\n');
  assert.ok(lines.length < 110);
  assert.deepEqual(
    lines.filter((line) => line.length > 150 && !line.startsWith('![')),
    [],
    'wrap lines at 150 characters',
  );
});
