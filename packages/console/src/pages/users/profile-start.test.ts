import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserDetails } from '../../api/user-query.ts';
import { beginAgain, profileOf } from './profile-start.ts';

const details = (phone: string, revision: bigint) =>
  ({ user: { phone, gender: 0 }, revision }) as unknown as UserDetails;
const profile = (phone: string) => profileOf(details(phone, 0n));
const start = { profile: profile('1'), revision: 4n };

test('a draft that somebody else overtook keeps its revision, so that saving it is a conflict', () => {
  assert.equal(beginAgain(start, details('2', 5n), profile('3')).revision, 4n);
});

test('a draft continues from a newer revision that left the profile unchanged', () => {
  assert.equal(beginAgain(start, details('1', 5n), profile('3')).revision, 5n);
});

test('a draft that the server has word for word, as after a lost answer, is no conflict', () => {
  assert.deepEqual(beginAgain(start, details('2', 5n), profile('2')), {
    profile: profile('2'),
    revision: 5n,
  });
});

test('a form without typed text follows the server', () => {
  assert.deepEqual(beginAgain(start, details('2', 5n)), {
    profile: profile('2'),
    revision: 5n,
  });
});
