import assert from 'node:assert/strict';
import { hostname, userInfo } from 'node:os';
import { test } from 'node:test';
import { commandActor } from './command-actor.ts';

test('the actor is the system user of the process and the host', () => {
  assert.deepEqual(commandActor({}), { kind: 'command', user: userInfo().username, host: hostname() });
});

test('with sudo, both the calling user and the effective user are named', () => {
  const { user, sudoUser } = commandActor({ SUDO_USER: 'ann' }, () => ({ username: 'root' }));
  assert.deepEqual([user, sudoUser], ['root', 'ann']);
  assert.ok(!('sudoUser' in commandActor({ SUDO_USER: '' })));
});

test('a user without a name, as in a container, is named by its number', () => {
  const nameless = () => {
    throw new Error('ENOENT: no such user');
  };
  assert.equal(commandActor({}, nameless).user, `uid ${process.getuid?.()}`);
});

test('control characters are removed, and long names are cut off', () => {
  const { user, sudoUser } = commandActor({ SUDO_USER: `\u001b[2J${'x'.repeat(300)}` }, () => ({
    username: 'a\nb',
  }));
  assert.equal(user, 'ab');
  assert.equal(sudoUser, `[2J${'x'.repeat(252)}`);
});
