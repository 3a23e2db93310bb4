import type { Operations } from '@fieldroster/contract';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const bindUserOrg: Handler<Operations['bindUserOrg']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const user = await lockUser(directory, { id: input.user_id }, refuse);
    if (!(await directory.orgExists(input.org_id)))
      throw refuse(1301, `no organization has id ${input.org_id}`);
    const before = await directory.replaceUserOrg(user.id, input.org_id);
    const changes = before === input.org_id ? {} : { org_id: { from: before ?? null, to: input.org_id } };
    return { result: undefined, userId: user.id, changes };
  });
