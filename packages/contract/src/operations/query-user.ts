import { Type } from 'typebox';
import { queriedUser } from '../entities.ts';
import { optionalFields, userId, username } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const queryUser = defineOperation({
  name: 'query-user',
  number: 2,
  method: 'GET',
  path: '/user',
  access: 'read',
  summary: 'Query a user',
  description:
    'Returns a user with its role and organization. Either user_id or username is required; if both are sent, they must identify the same user. The ETag header of the answer has the revision of the user, in quotes: ETag: "3" is the if_revision 3 of an update. The status of the user is not in this answer; list-users and list-store-users return it. A search of list-users for the username may find other users too.',
  query: Type.Object(optionalFields({ user_id: userId, username })),
  data: queriedUser,
  hasETag: true,
  successMessage: '',
  codes: [1101, 1103],
});
