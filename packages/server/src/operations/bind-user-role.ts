import type { Operations } from '@fieldroster/contract';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const bindUserRole: Handler<Operations['bindUserRole']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const { user_id, role_id } = input;
    const [user, role] = await Promise.all([
      lockUser(directory, { id: user_id }, refuse),
      directory.readRoleBinding(user_id, role_id),
    ]);
    if (!role.exists) throw refuse(1201, { key: 'noRole', values: { id: String(role_id) } });
    if (role.current === role_id) return { result: undefined, userId: user.id, changes: {} };
    await directory.replaceUserRole(user.id, role_id);
    const changes = { role_id: { from: role.current ?? null, to: role_id } };
    return { result: undefined, userId: user.id, changes };
  });
