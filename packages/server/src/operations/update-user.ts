import type { Operations } from '@fieldroster/contract';
import { describeChanges, differingChanges, profileChangesOf } from '../directory/profile-changes.ts';
import { requireRevision } from '../directory/revision.ts';
import { identifierRequired, lockUser, requireSameUsername, userKeyOf } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const updateUser: Handler<Operations['updateUser']> = async (input, { refuse, write, passwords }) => {
  const key = userKeyOf(input.id, input.username);
  if (key === undefined) throw identifierRequired('id');
  const sent = {
    ...profileChangesOf(input),
    ...(input.password && { passwordHash: await passwords.hash(input.password) }),
  };
  return write(async (directory) => {
    const user = await lockUser(directory, key, refuse);
    requireSameUsername(user, input.username, refuse);
    requireRevision(user.revision, input.if_revision, refuse);
    const changes = differingChanges(user, sent);
    if (Object.keys(changes).length > 0) await directory.updateUser(user.id, changes);
    return { result: undefined, userId: user.id, changes: describeChanges(user, changes) };
  });
};
