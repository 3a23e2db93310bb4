import type { Operations } from '@fieldroster/contract';
import { presentRole } from '../directory/present-user.ts';
import { requireUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const queryUserRole: Handler<Operations['queryUserRole']> = async (input, { directory, refuse }) => {
  await requireUser(directory, input.user_id, refuse);
  const role = await directory.findRoleOfUser(input.user_id);
  // The user may have been deleted after the look-up, and with it the role. An id is never used again.
  if (role === undefined) await requireUser(directory, input.user_id, refuse);
  return { user_id: input.user_id, roles: role === undefined ? [] : [presentRole(role)] };
};
