import type { Problem } from '@fieldroster/contract/problems';
import type { OperatorAccess } from '../../database/database.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { whyGuessable } from '../../passwords/guessable-password.ts';
import type { ConsoleContext } from '../console-context.ts';

const problems = {
  common: { key: 'commonPassword', values: {} },
  'words of the context': { key: 'wordsOfContext', values: { min: 8 } },
} as const;

interface ChoiceContext extends Pick<ConsoleContext, 'parts'> {
  readonly refuse: (code: 1620, problem: Problem) => ApiError;
}

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
  { parts, refuse }: ChoiceContext,
): Promise<void> {
  const all = await parts.database.tenants.listTenants();
  const tenants = all.filter(({ id }) => allTenants || tenantIds.includes(id));
  const why = whyGuessable(password, [username, ...tenants.map(({ name }) => name)]);
  if (why !== undefined) throw refuse(1620, problems[why]);
}
