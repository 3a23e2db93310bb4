import type { Operations } from '@fieldroster/contract';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const bindUserRole: Handler<Operations['bindUserRole']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const user = await lockUser(directory, { id: input.user_id }, refuse);
    if (!(await directory.roleExists(input.role_id))) throw refuse(1201, `no role has id ${input.role_id}`);
    const before = await directory.replaceUserRole(user.id, input.role_id);
    const changes = before === input.role_id ? {} : { role_id: { from: before ?? null, to: input.role_id } };
    return { result: undefined, userId: user.id, changes };
  });
