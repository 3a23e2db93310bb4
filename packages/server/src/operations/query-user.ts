import type { Operations } from '@fieldroster/contract';
import { presentUser } from '../directory/present-user.ts';
import {
  identifierRequired,
  noSuchUser,
  requireSameUsername,
  userKeyOf,
} from '../directory/user-identity.ts';
import type { HandlerWithRevision } from './handler.ts';
import { WithRevision } from './with-revision.ts';

export const queryUser: HandlerWithRevision<Operations['queryUser']> = async (
  input,
  { directory, refuse },
) => {
  const key = userKeyOf(input.user_id, input.username);
  if (key === undefined) throw identifierRequired('user_id');
  const user = await directory.findUser(key);
  if (user === undefined) throw noSuchUser(key, refuse);
  requireSameUsername(user, input.username, refuse);
  return new WithRevision(presentUser(user), user.revision);
};
