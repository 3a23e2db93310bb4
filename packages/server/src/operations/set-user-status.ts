import type { Operations } from '@fieldroster/contract';
import { requireRevision } from '../directory/revision.ts';
import { identifierRequired, lockUser, requireSameUsername, userKeyOf } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const setUserStatus: Handler<Operations['setUserStatus']> = async (input, { refuse, write }) => {
  const key = userKeyOf(input.id, input.username);
  if (key === undefined) throw identifierRequired('id');
  const { status } = input;
  return write(async (directory) => {
    const user = await lockUser(directory, key, refuse);
    requireSameUsername(user, input.username, refuse);
    requireRevision(user.revision, input.if_revision, refuse);
    if (user.status === status) return { result: undefined, userId: user.id, changes: {} };
    await directory.users.setUserStatus(user.id, status);
    const changes = { status: { from: user.status, to: status } };
    return { result: undefined, userId: user.id, changes };
  });
};
