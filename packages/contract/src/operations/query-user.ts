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
    'Answers a user with its role and organization. One of user_id and username is required; if both are sent they must be the same user’s.',
  query: Type.Object(optionalFields({ user_id: userId, username })),
  data: queriedUser,
  successMessage: '',
  codes: [1101, 1103],
});
