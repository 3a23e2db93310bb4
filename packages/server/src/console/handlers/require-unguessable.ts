import { ApiError } from '../../api-error.ts';
import { whyGuessable } from '../../passwords/guessable-password.ts';
import type { ConsoleContext } from '../console-context.ts';

const refusals = {
  common: 'this password is one of those that most people choose, which attackers try first',
  'words of the context':
    'apart from the username, names of tenants and words such as fieldroster, this password has fewer than 8 letters',
} as const;

/**
 * Refuses a new password of an operator that is easy to guess.
 *
 * @throws {ApiError} 1620
 */
export async function requireUnguessable(
  password: string,
  username: string,
  { parts }: Pick<ConsoleContext, 'parts'>,
): Promise<void> {
  const tenants = await parts.database.tenants.listTenants();
  const why = whyGuessable(password, [username, ...tenants.map(({ name }) => name)]);
  if (why !== undefined) {
    throw new ApiError(1620, `${refusals[why]}; choose another one, such as several unrelated words`);
  }
}
