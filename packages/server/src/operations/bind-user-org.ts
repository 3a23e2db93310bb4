import type { Operations } from '@fieldroster/contract';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const bindUserOrg: Handler<Operations['bindUserOrg']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const { user_id, org_id } = input;
    const [user, org] = await Promise.all([
      lockUser(directory, { id: user_id }, refuse),
      directory.readOrgBinding(user_id, org_id),
    ]);
    if (!org.exists) throw refuse(1301, { key: 'noOrg', values: { id: String(org_id) } });
    if (org.current === org_id) return { result: undefined, userId: user.id, changes: {} };
    await directory.replaceUserOrg(user.id, org_id);
    const changes = { org_id: { from: org.current ?? null, to: org_id } };
    return { result: undefined, userId: user.id, changes };
  });
