import type { Operations } from '@fieldroster/contract';
import { presentUser } from '../directory/present-user.ts';
import { noSuchUser, requireSameUsername, userKeyOf } from '../directory/user-identity.ts';
import { ApiError } from '../errors/api-error.ts';
import type { HandlerWithRevision } from './handler.ts';
import { WithRevision } from './with-revision.ts';

export const queryUser: HandlerWithRevision<Operations['queryUser']> = async (
  input,
  { directory, refuse },
) => {
  const key = userKeyOf(input.user_id, input.username);
  if (key === undefined) throw new ApiError(1001, 'user_id or username is required');
  const user = await directory.findUser(key);
  if (user === undefined) throw noSuchUser(key, refuse);
  requireSameUsername(user, input.username, refuse);
  return new WithRevision(presentUser(user), user.revision);
};
