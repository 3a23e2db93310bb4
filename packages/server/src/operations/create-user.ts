import type { Operations } from '@fieldroster/contract';
import { requireNewUsername } from '../directory/new-username.ts';
import { presentProfile } from '../directory/present-user.ts';
import { describeChanges, profileChangesOf } from '../directory/profile-changes.ts';
import { quoteVisibly } from '../directory/quote-visibly.ts';
import type { Handler } from './handler.ts';

export const createUser: Handler<Operations['createUser']> = async (input, { refuse, write, passwords }) => {
  requireNewUsername(input.username);
  const profile = profileChangesOf(input);
  const fields = { ...profile, passwordHash: await passwords.hash(input.password) };
  return write(async (directory) => {
    const id = await directory.insertUser(input.username, fields);
    if (id === undefined)
      throw refuse(1102, { key: 'usernameTaken', values: { username: quoteVisibly(input.username) } });
    return {
      result: {
        id,
        username: input.username,
        password: input.password,
        ...presentProfile(profile),
      },
      userId: id,
      changes: { username: { to: input.username }, ...describeChanges(undefined, fields) },
    };
  });
};
