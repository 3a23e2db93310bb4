import type { AuditWords, Data, Input, Operations } from '@fieldroster/contract';
import { OutcomeUnknownError } from '../database/database.ts';
import { quoteVisibly } from '../directory/quote-visibly.ts';
import { BusyError } from '../errors/busy-error.ts';
import type { Handler, ReadContext } from './handler.ts';

type Context = ReadContext<Operations['checkPassword']>;

export const checkPassword: Handler<Operations['checkPassword']> = (input, context) =>
  context.passwords.logUsername(input.username, () => checkAndCount(input, context));

async function checkAndCount(
  { username, password }: Input<Operations['checkPassword']>,
  context: Context,
): Promise<Data<Operations['checkPassword']>> {
  const { directory, refuse, passwords } = context;
  const user = await passwords.countFailures(username, async () => {
    const credentials = await directory.users.findCredentials(username);
    const { matches, outdated } = await passwords.verify(password, credentials?.passwordHash);
    return matches && credentials !== undefined ? { ...credentials, outdated } : undefined;
  });
  if (user === undefined) throw refuse(1104, 'the username or the password is wrong');
  if (user.status === 'disabled')
    throw refuse(
      1105,
      `the user ${quoteVisibly(username)} is disabled; PUT /user/status makes a user active again`,
    );
  if (user.outdated && user.passwordHash !== undefined) {
    await upgradeHash(user.id, user.passwordHash, password, context);
  }
  return { id: user.id, username };
}

/** Hashes the password as new ones are hashed. It is known only at this moment. */
async function upgradeHash(
  id: bigint,
  outdated: string,
  password: string,
  { passwords, writeAside }: Context,
): Promise<void> {
  try {
    const hash = await passwords.hash(password);
    await writeAside(async (directory) => {
      const replaced = await directory.users.replacePasswordHash(id, outdated, hash);
      const changes: AuditWords = replaced ? { password: 'rehashed' } : {};
      return { result: undefined, userId: id, changes };
    });
  } catch (error) {
    // The password was right whether or not this succeeds; the next check tries again.
    if (!(error instanceof BusyError || error instanceof OutcomeUnknownError)) throw error;
  }
}
