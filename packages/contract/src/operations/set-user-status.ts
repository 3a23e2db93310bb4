import { Type } from 'typebox';
import { ifRevision, optionalFields, userId, username, userStatus } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const setUserStatus = defineOperation({
  name: 'set-user-status',
  method: 'PUT',
  path: '/user/status',
  access: 'manage',
  repeatable: true,
  summary: 'Disable a user, or make it active again',
  description:
    'A disabled user stays in the directory with every binding, but the password check refuses it. Either id or username is required.',
  body: Type.Object({
    ...optionalFields({ id: userId, username, if_revision: ifRevision }),
    status: userStatus,
  }),
  successMessage: '',
  codes: [1002, 1017, 1101, 1103],
});
