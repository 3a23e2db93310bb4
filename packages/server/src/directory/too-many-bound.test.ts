import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fieldroster/contract/limits';
import { tooManyBound } from './too-many-bound.ts';

const { forcedUnbindsMax: max } = limits;

test('what nobody is bound to may be removed', () => {
  assert.equal(tooManyBound('role 7', 0, false), undefined);
  assert.equal(tooManyBound('role 7', 0, true), undefined);
});

test('without force, one user is too many', () => {
  const message = 'role 7 has 1 user; unbind them first, or send force=true';
  assert.equal(tooManyBound('role 7', 1, false), message);
});

test('with force, one call unbinds a limited number of users', () => {
  assert.equal(tooManyBound('role 7', max, true), undefined);
  const message = `role 7 has ${max + 1} users; force=true unbinds at most ${max}: unbind or move others first, such as by POST /users/batch`;
  assert.equal(tooManyBound('role 7', max + 1, true), message);
});
