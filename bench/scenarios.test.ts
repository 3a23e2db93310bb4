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
  const names = namesOf('--only', 'bind-user-store*', '--only', 'create-user');
  assert.deepEqual(names, [
    'bind-user-store',
    'bind-user-store-statements',
    'bind-user-store-pgbench',
    'create-user',
  ]);
});

test('--only with the beginning of names runs every row with it, unless a row has that name', () => {
  const ofConsole = namesOf('--only', 'console');
  assert.ok(ofConsole.length > 1 && ofConsole.every((name) => name.startsWith('console-')));
  assert.deepEqual(namesOf('--only', 'bind-user-store'), ['bind-user-store']);
  assert.throws(() => choose('--only', 'consol'), OptionError);
});

test('every mark has its row', () => {
  const marked = choose('--full', '--peers', '--size', '1000000').filter(
    ({ mark, limit }) => mark !== undefined || limit !== undefined,
  );
  assert.deepEqual(
    marked.map(({ name, mark, limit }) => `${name} ${mark ?? `${limit} ms or MB`}`),
    [
      'query-user 0.5',
      'query-user-once 0.36',
      'reads-and-writes 0.3',
      'query-user-two-workers 0.9',
      'query-user-postgres 0.75',
      'query-user-postgres-driver 0.6',
      'query-user-postgres-driver-afresh 0.6',
      'query-user-slapd 1.5',
      'query-user-slapd-afresh 1.5',
      'query-user-parse-server 8',
      'query-user-parse-server-afresh 8',
      'query-user-directus 100',
      'query-user-directus-afresh 100',
      'query-user-postgres-parse-server 2',
      'query-user-postgres-parse-server-afresh 2',
      'bind-user-store 0.4',
      'bind-user-store-pgbench 0.8',
      'batch-update-user-stores-1000 0.5',
      'batch-users-statements 0.8',
      'create-user 0.9',
      'query-user-beside-passwords 10 ms or MB',
      'import-stores 0.3',
      'longest-delay-1-mib 50 ms or MB',
      'longest-delay-8-mib 50 ms or MB',
      'longest-delay-32-mib 50 ms or MB',
      'start-up-by-size-1000000 500 ms or MB',
      'memory-by-size-1000000 150 ms or MB',
      'query-user-p99-by-size-1000000 1.3',
      ...['first', 'last', 'role', 'org', 'store', 'unbound'].map(
        (list) => `list-users-${list}-p99-by-size-1000000 1.5`,
      ),
      'search-users-p99-by-size-1000000 50 ms or MB',
      'batch-users-p99-by-size-1000000 1.5',
      'console-first-page-by-size-1000000 1000 ms or MB',
      'console-search-users-by-size-1000000 200 ms or MB',
      'console-search-stores-by-size-1000000 200 ms or MB',
      'console-memory-by-size-1000000 150 ms or MB',
    ],
  );
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
