import { Type } from 'typebox';
import { ifRevision, optionalFields, userId, username } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const deleteUser = defineOperation({
  name: 'delete-user',
  method: 'DELETE',
  path: '/user',
  access: 'write',
  summary: 'Delete a user',
  description:
    'Removes the user and every binding. One of user_id and username is required; if both are sent they must be the same user’s. The id is never given to anyone else. A disabled user can only be deleted with the scope manage (1016).',
  query: Type.Object(optionalFields({ user_id: userId, username, if_revision: ifRevision })),
  successMessage: '',
  codes: [1017, 1101, 1103],
});
