import { Type } from 'typebox';
import { int64, userId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const bindUserRole = defineOperation({
  name: 'bind-user-role',
  number: 4,
  method: 'POST',
  path: '/user/role',
  access: 'write',
  repeatable: true,
  summary: 'Bind a user to a role',
  description:
    'Binds the user to the role, replacing the previous one. Binding the same role again succeeds.',
  body: Type.Object({ user_id: userId, role_id: int64('Id of the role') }),
  successMessage: '',
  codes: [1002, 1101, 1201],
});
