import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundUsersMax as max, tooManyBound } from './too-many-bound.ts';

const role = { name: 'role 7', moveRest: 'give the rest another role first' };

test('what nobody is bound to may be removed', () => {
  assert.equal(tooManyBound({ ...role, users: 0, force: false }), undefined);
  assert.equal(tooManyBound({ ...role, users: 0, force: true }), undefined);
});

test('without force, one user is too many', () => {
  const message = 'role 7 has 1 user; unbind them first, or send force=true';
  assert.equal(tooManyBound({ ...role, users: 1, force: false }), message);
});

test('with force, one call unbinds a limited number of users', () => {
  assert.equal(tooManyBound({ ...role, users: max, force: true }), undefined);
});

test('the advice for more users than that does not depend on force, which would not help', () => {
  const message = `role 7 has more than ${max} users; force=true unbinds at most ${max}: give the rest another role first, by POST /users/batch`;
  for (const force of [false, true]) assert.equal(tooManyBound({ ...role, users: max + 1, force }), message);
});
