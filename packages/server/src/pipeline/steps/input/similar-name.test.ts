import assert from 'node:assert/strict';
import { test } from 'node:test';
import { similarName } from './similar-name.ts';

test('a name in another case, or with other separators, is similar', () => {
  for (const other of ['userId', 'UserId', 'USER_ID', 'user-id', 'userid', '_user_id'])
    assert.equal(similarName('user_id', ['role_id', other]), other);
});

test('neither the same name nor another one is similar', () => {
  for (const other of ['user_id', 'id', 'users_id', 'user id', '', 'user_id'.padEnd(65, '_')])
    assert.equal(similarName('user_id', [other]), undefined);
});
