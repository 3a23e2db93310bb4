import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OptionError, type Options, readOptions } from './options.ts';
import { chooseScenarios } from './scenarios.ts';

test('long rows run only with --full, and rows with other servers only with --peers', () => {
  assert.ok(choose().every(({ full, peer }) => !full && !peer));
  const all = choose('--full', '--peers');
  assert.ok(all.some(({ full }) => full) && all.some(({ peer }) => peer));
});

test('--only runs the named rows; a final * matches any ending', () => {
  assert.deepEqual(namesOf('--only', 'query-user'), ['query-user']);
  const names = namesOf('--only', 'query-user-slapd*', '--only', 'create-user', '--peers');
  assert.deepEqual(names, ['query-user-slapd', 'query-user-slapd-afresh', 'create-user']);
});

test('--only with the beginning of names runs every row with it, unless a row has that name', () => {
  const ofConsole = namesOf('--only', 'console');
  assert.ok(ofConsole.length > 1 && ofConsole.every((name) => name.startsWith('console-')));
  assert.deepEqual(namesOf('--only', 'bind-user-store'), ['bind-user-store']);
  assert.throws(() => choose('--only', 'consol'), OptionError);
});

test('every mark has its row', () => {
  const marked = choose('--full', '--peers', '--size', '2000').flatMap(({ name, mark, limit, unit }) =>
    mark === undefined && limit === undefined ? [] : `${name} ${mark ?? `${limit} ${unit}`}`,
  );
  const afresh = (row: string, mark: number) => [`${row} ${mark}`, `${row}-afresh ${mark}`];
  const lists = ['first', 'last', 'role', 'org', 'store', 'unbound'];
  assert.deepEqual(marked, [
    'query-user 0.5',
    'query-user-once 0.36',
    'reads-and-writes 0.3',
    'query-user-two-workers 0.9',
    'query-user-postgres 0.75',
    ...afresh('query-user-postgres-driver', 0.6),
    ...afresh('query-user-slapd', 1.5),
    ...afresh('query-user-parse-server', 8),
    ...afresh('query-user-directus', 100),
    ...afresh('query-user-postgres-parse-server', 2),
    'bind-user-store 0.4',
    'bind-user-store-pgbench 0.8',
    'batch-update-user-stores-1000 0.5',
    'batch-users-statements 0.8',
    'create-user 0.9',
    'query-user-beside-passwords 10 ms',
    'import-stores 0.3',
    ...[1, 8, 32].map((size) => `longest-delay-${size}-mib 50 ms`),
    'start-up-by-size-2000 500 ms',
    'memory-by-size-2000 150 MB',
    'query-user-p99-by-size-2000 1.3',
    ...lists.map((list) => `list-users-${list}-p99-by-size-2000 1.5`),
    'search-users-p99-by-size-2000 50 ms',
    'batch-users-p99-by-size-2000 1.5',
    'console-first-page-by-size-2000 1000 ms',
    'console-search-users-by-size-2000 200 ms',
    'console-search-stores-by-size-2000 200 ms',
    'console-memory-by-size-2000 150 MB',
  ]);
});

test('every size has each row, and the rows of a group follow one another', () => {
  const scenarios = choose('--full', '--size', '2000', '--size', '3000');
  const groups = scenarios.map(({ group }) => group).filter((group, index, all) => group !== all[index - 1]);
  const named = groups.filter((group) => group !== undefined);
  assert.equal(new Set(named).size, named.length);
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
});

test('an unknown row is refused, and one that needs --peers without it', () => {
  assert.throws(() => choose('--only', 'nothing'), OptionError);
  assert.throws(() => choose('--only', 'query-user-parse-server'), /needs --peers/);
});

function choose(...args: string[]) {
  return chooseScenarios((readOptions(args) ?? assert.fail('the usage was printed')) as Options);
}

function namesOf(...args: string[]): string[] {
  return choose(...args).map(({ name }) => name);
}
