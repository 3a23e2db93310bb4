import type { Operations } from '@fieldroster/contract';
import { describeRemoval } from '../directory/profile-changes.ts';
import { requireRevision } from '../directory/revision.ts';
import {
  countStoresOf,
  identifierRequired,
  lockUser,
  requireSameUsername,
  userKeyOf,
} from '../directory/user-identity.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Handler } from './handler.ts';

export const deleteUser: Handler<Operations['deleteUser']> = async (
  input,
  { scope, directory, refuse, writeMany },
) => {
  const key = userKeyOf(input.user_id, input.username);
  if (key === undefined) throw identifierRequired('user_id');
  return writeMany(await countStoresOf(directory, key), async (writer, requireTimeFor) => {
    const user = await lockUser(writer, key, refuse);
    requireSameUsername(user, input.username, refuse);
    // Disabling needs scope manage; otherwise scope write could delete the user and create it again, active.
    if (user.status === 'disabled' && scope !== 'manage') throw needsManage(user.id);
    requireRevision(user.revision, input.if_revision, refuse);
    requireTimeFor(await countStoresOf(writer, { username: user.username }));
    const state = (await writer.users.readStates([user.username])).get(user.username);
    await writer.users.deleteUser(user.id);
    return { result: undefined, userId: user.id, changes: describeRemoval(user, state) };
  });
};

function needsManage(id: bigint): ApiError {
  return new ApiError(
    1016,
    `user ${id} is disabled, and deleting a disabled user needs the scope manage; the application has the scope write: ask the operator for manage`,
  );
}
