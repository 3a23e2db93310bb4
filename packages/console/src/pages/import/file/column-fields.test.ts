import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { guessFields, rememberFields } from './column-fields.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  // Browsers have localStorage; Node.js has it only when a flag names a file for it.
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
  });
});

test('a column of names sets the role or the organization, or stands beside the column of ids that does', () => {
  const both = {
    username: 'username',
    role_name: 'role_name',
    role_id: 'role_id',
    org_id: 'org_id',
    org_name: 'org_name',
  };
  assert.deepEqual(guessFields('users', Object.keys(both)), both);
  assert.deepEqual(guessFields('users', ['用户名', '角色名称', '组织名称', 'Org path']), {
    用户名: 'username',
    角色名称: 'role_id',
    组织名称: 'org_id',
    'Org path': '',
  });
});

test('the field that a column of names had in one file does not decide its field in a file with or without ids', () => {
  rememberFields('users', guessFields('users', ['username', 'role_name']));
  assert.deepEqual(guessFields('users', ['role_name', 'role_id']), {
    role_name: 'role_name',
    role_id: 'role_id',
  });
  rememberFields('users', guessFields('users', ['role_name', 'role_id']));
  assert.equal(guessFields('users', ['role_name']).role_name, 'role_id');
});

test('a column of names that was left out beside the ids is left out there again, but not when it is alone', () => {
  rememberFields('users', { role_id: 'role_id', role_name: '' });
  assert.equal(guessFields('users', ['username', 'role_id', 'role_name']).role_name, '');
  assert.equal(guessFields('users', ['username', 'role_name']).role_name, 'role_id');
  rememberFields('users', { Funktion: 'role_id' });
  assert.equal(guessFields('users', ['Funktion', 'role_name']).role_name, '');
});
