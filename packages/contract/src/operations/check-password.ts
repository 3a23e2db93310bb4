import { Type } from 'typebox';
import { secretText, userId, username } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const checkPassword = defineOperation({
  name: 'check-password',
  method: 'POST',
  path: '/user/password/check',
  access: 'read',
  summary: 'Check a password',
  description:
    'Answers 0 only if the password is the user’s and the user is active. An unknown username, a wrong password and a user without a password get the same answer, 1104, after a second or two. After ten failures within a minute, a username has to wait (1429). After 300 failures within a minute, an application may send one wrong password for each username; users without failures can still log in. A wrong guess that is sent again because its answer was lost counts twice.',
  body: Type.Object({
    username,
    password: secretText('Password to check', limits.passwordCharactersMax, 1),
  }),
  data: Type.Object({ id: userId, username }),
  successMessage: '',
  codes: [1002, 1104, 1105],
});
