import { Type } from 'typebox';
import { ifRevision, optionalFields, userId, username } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const deleteUser = defineOperation({
  name: 'delete-user',
  method: 'DELETE',
  path: '/user',
  access: 'write',
  repeatable: false,
  summary: 'Delete a user',
  description:
    'Removes the user and every binding. Either user_id or username is required; if both are sent, they must identify the same user. The id is never reused. Only the scope manage may delete a disabled user (1016).',
  query: Type.Object(optionalFields({ user_id: userId, username, if_revision: ifRevision })),
  successMessage: '',
  codes: [1017, 1101, 1103],
});
