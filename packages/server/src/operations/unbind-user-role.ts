import type { Operations } from '@fieldroster/contract';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const unbindUserRole: Handler<Operations['unbindUserRole']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const user = await lockUser(directory, { id: input.user_id }, refuse);
    if (!(await directory.deleteUserRole(user.id, input.role_id))) {
      throw refuse(1202, `user ${user.id} is not bound to role ${input.role_id}`);
    }
    return { result: undefined, userId: user.id, changes: { role_id: { from: input.role_id, to: null } } };
  });
