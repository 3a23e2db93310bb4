import { ApiError } from '../../api-error.ts';
import type { OperatorAccess } from '../../database/database.ts';
import { whyGuessable } from '../../passwords/guessable-password.ts';
import type { ConsoleContext } from '../console-context.ts';

const refusals = {
  common: 'this password is one of the most common ones, which attackers try first',
  'words of the context':
    'apart from the username, names of tenants and words such as fieldroster, this password has fewer than 8 letters',
} as const;

/** The operator who chooses a password. */
type Chooser = Pick<OperatorAccess, 'allTenants' | 'tenantIds'> & { readonly username: string };

/**
 * Refuses a new password of an operator that is easy to guess. Only the operator's own tenants count, because the
 * refusal would tell the names of others.
 *
 * @throws {ApiError} 1620
 */
export async function requireUnguessable(
  password: string,
  { username, allTenants, tenantIds }: Chooser,
  { parts }: Pick<ConsoleContext, 'parts'>,
): Promise<void> {
  const all = await parts.database.tenants.listTenants();
  const tenants = all.filter(({ id }) => allTenants || tenantIds.includes(id));
  const why = whyGuessable(password, [username, ...tenants.map(({ name }) => name)]);
  if (why !== undefined) {
    throw new ApiError(1620, `${refusals[why]}; choose another one, such as several unrelated words`);
  }
}
