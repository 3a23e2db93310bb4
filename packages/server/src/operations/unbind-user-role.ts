import type { Operations } from '@fieldroster/contract';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const unbindUserRole: Handler<Operations['unbindUserRole']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const { user_id, role_id } = input;
    const [user, role] = await Promise.all([
      lockUser(directory, { id: user_id }, refuse),
      directory.readRoleBinding(user_id, role_id),
    ]);
    if (role.current !== role_id) throw refuse(1202, `user ${user.id} is not bound to role ${role_id}`);
    await directory.deleteUserRole(user.id);
    return { result: undefined, userId: user.id, changes: { role_id: { from: role_id, to: null } } };
  });
