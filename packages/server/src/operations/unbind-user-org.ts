import type { Operations } from '@fieldroster/contract';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const unbindUserOrg: Handler<Operations['unbindUserOrg']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const user = await lockUser(directory, { id: input.user_id }, refuse);
    if (!(await directory.deleteUserOrg(user.id, input.org_id))) {
      throw refuse(1302, `user ${user.id} is not bound to organization ${input.org_id}`);
    }
    return { result: undefined, userId: user.id, changes: { org_id: { from: input.org_id, to: null } } };
  });
