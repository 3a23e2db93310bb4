import { Type } from 'typebox';
import { roleEntry } from '../entities.ts';
import { userId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const queryUserRole = defineOperation({
  name: 'query-user-role',
  number: 5,
  method: 'GET',
  path: '/user/role',
  access: 'read',
  summary: 'Query the role of a user',
  description: 'Returns the role that the user is bound to; an empty array if the user has none.',
  query: Type.Object({ user_id: userId }),
  data: Type.Object({ user_id: userId, roles: Type.Array(roleEntry) }),
  successMessage: '',
  codes: [1101],
});
