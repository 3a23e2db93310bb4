import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orgPaths } from './org-paths.ts';

const org = (id: number, name: string, parent: number) => ({ id, name, parent_id: parent });

const north = [org(1, 'Northland', 0), org(3, 'Coast', 1), org(4, 'Depot', 3)];
const south = [org(2, 'Southland', 0), org(5, 'Depot', 2)];

test('organizations of one tree are named without its root', () => {
  assert.deepEqual([...orgPaths(north).values()], ['Northland', 'Coast', 'Coast › Depot']);
});

test('organizations of several trees are told apart by their roots', () => {
  assert.deepEqual(Object.fromEntries(orgPaths([...north, ...south])), {
    1: 'Northland',
    2: 'Southland',
    3: 'Northland › Coast',
    4: 'Northland › Coast › Depot',
    5: 'Southland › Depot',
  });
});
