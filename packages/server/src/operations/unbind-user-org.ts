import type { Operations } from '@fieldroster/contract';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const unbindUserOrg: Handler<Operations['unbindUserOrg']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const { user_id, org_id } = input;
    const [user, org] = await Promise.all([
      lockUser(directory, { id: user_id }, refuse),
      directory.readOrgBinding(user_id, org_id),
    ]);
    if (org.current !== org_id) throw refuse(1302, `user ${user.id} is not bound to organization ${org_id}`);
    await directory.deleteUserOrg(user.id);
    return { result: undefined, userId: user.id, changes: { org_id: { from: org_id, to: null } } };
  });
