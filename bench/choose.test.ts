import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from './choose.ts';
import { OptionError, type Options, readOptions } from './options.ts';

test('what takes long or needs other servers runs only when it is asked for', () => {
  const usual = choose(optionsOf());
  assert.equal(usual.matrix, false);
  assert.ok(usual.scenarios.every(({ full, peer }) => full !== true && peer !== true));
  const all = choose(optionsOf('--full', '--peers'));
  assert.equal(all.matrix, true);
  assert.ok(
    all.scenarios.some(({ full }) => full === true) && all.scenarios.some(({ peer }) => peer === true),
  );
});

test('a measurement that is named runs alone', () => {
  assert.deepEqual(choose(optionsOf('--only', 'operations')), { scenarios: [], matrix: true });
  const { scenarios, matrix } = choose(optionsOf('--only', 'query-user'));
  assert.deepEqual([scenarios.map(({ name }) => name), matrix], [['query-user'], false]);
});

test('a name that ends in * stands for all that begin so', () => {
  const { scenarios } = choose(optionsOf('--only', 'bind-user-store*', '--only', 'start-up'));
  assert.ok(scenarios.length > 1);
  assert.ok(scenarios.every(({ name }) => name.startsWith('bind-user-store') || name === 'start-up'));
});

test('every size has a row of each kind, and those of a size stand together', () => {
  const { scenarios } = choose(optionsOf('--full', '--size', '2000', '--size', '3000'));
  const groups = scenarios.flatMap(({ group = '' }) => (group.startsWith('users') ? [group] : []));
  assert.deepEqual(groups, groups.toSorted());
  assert.equal(new Set(groups).size, 2);
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
});

test('a name that there is not, or one of other servers without leave to start them, is refused', () => {
  assert.throws(() => choose(optionsOf('--only', 'nothing')), OptionError);
  assert.throws(() => choose(optionsOf('--only', 'query-user-parse-server')), /needs --peers/);
});

function optionsOf(...args: string[]): Options {
  return readOptions(args) ?? assert.fail('the usage was asked for');
}
