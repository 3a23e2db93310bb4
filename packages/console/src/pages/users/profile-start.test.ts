import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserDetails } from '../../api/user-query.ts';
import { beginAgain, profileOf } from './profile-start.ts';

const details = (phone: string, revision: bigint) =>
  ({ user: { phone, gender: 0 }, revision }) as unknown as UserDetails;
const start = { profile: profileOf(details('1', 4n)), revision: 4n };

test('a draft that somebody else overtook keeps its revision, so that saving it is a conflict', () => {
  assert.equal(beginAgain(start, details('2', 5n), true).revision, 4n);
});

test('a draft continues from a newer revision that left the profile unchanged', () => {
  assert.equal(beginAgain(start, details('1', 5n), true).revision, 5n);
});

test('a form without typed text follows the server', () => {
  assert.deepEqual(beginAgain(start, details('2', 5n), false), {
    profile: profileOf(details('2', 5n)),
    revision: 5n,
  });
});
