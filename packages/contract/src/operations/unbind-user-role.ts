import { Type } from 'typebox';
import { int64, userId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const unbindUserRole = defineOperation({
  name: 'unbind-user-role',
  number: 6,
  method: 'DELETE',
  path: '/user/role',
  access: 'write',
  repeatable: false,
  summary: 'Unbind a user from a role',
  description:
    'Removes the binding. If the user is not bound to the role, the answer is an error, so the caller learns that nothing was removed.',
  query: Type.Object({ user_id: userId, role_id: int64('Id of the role') }),
  successMessage: '',
  codes: [1101, 1202],
});
