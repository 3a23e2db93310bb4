import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OptionError, readOptions } from './options.ts';
import { chooseScenarios } from './scenarios.ts';

test('long rows run only with --full, and rows with other servers only with --peers', () => {
  assert.ok(choose().every(({ full, peer }) => !full && !peer));
  const all = choose('--full', '--peers');
  assert.ok(all.some(({ full }) => full) && all.some(({ peer }) => peer));
});

test('--only runs the named rows; a * matches any part of a name', () => {
  assert.deepEqual(namesOf('--only', 'bind-user-store'), ['bind-user-store']);
  const names = namesOf('--only', 'query-user-slapd*', '--only', 'create-user', '--peers');
  assert.deepEqual(names, ['query-user-slapd', 'query-user-slapd-afresh', 'create-user']);
});

test('README.md lists every row with its mark, and no other', () => {
  const rows = choose('--full', '--peers', '--size', '2000').map(({ name, mark, limit, unit = 'req/s' }) => {
    const promise = mark ?? (limit === undefined ? '' : `${limit.toLocaleString('en')} ${unit}`);
    return [name, promise && `${unit.endsWith('/s') ? '≥' : '≤'} ${promise}`];
  });
  const text = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  const documented = [...text.matchAll(/^\| `([a-z]\S+)` \|.*\| ([^:|]*).*\|$/gm)].flatMap(
    ([, names = '', mark = '']) => expandNames(names).map((name) => [name, mark.trim()]),
  );
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(rows));
});

/** Expands the alternatives between braces as a shell does, and takes 2,000 for the size N. */
function expandNames(names: string): string[] {
  const [start = '', alternatives, end] = names.replace('N', '2000').split(/[{}]/);
  return alternatives?.split(',').map((each) => `${start}${each}${end}`) ?? [start];
}

test('every size has each row', () => {
  const names = namesOf('--full', '--size', '2000', '--size', '3000', '--only', 'batch-users-p99*');
  assert.deepEqual(names, ['batch-users-p99-by-size-2000', 'batch-users-p99-by-size-3000']);
});

test('an unknown row is refused, and one that needs --peers without it', () => {
  assert.throws(() => choose('--only', 'nothing'), OptionError);
  assert.throws(() => choose('--only', 'query-user-parse-server'), /needs --peers/);
});

function choose(...args: string[]) {
  return chooseScenarios(readOptions(args) ?? assert.fail('the usage was printed'));
}

function namesOf(...args: string[]): string[] {
  return choose(...args).map(({ name }) => name);
}
