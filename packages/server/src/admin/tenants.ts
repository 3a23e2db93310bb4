import { consoleLimits } from '@fieldroster/contract/console-limits';
import { problemInEnglish } from '@fieldroster/contract/problems';
import type { Database, TenantRecord } from '../database/database.ts';
import { findTwin } from '../directory/find-twin.ts';
import { invisibleInName } from '../directory/invisible-character.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { AdminError } from './admin-error.ts';
import type { OpenDirectory } from './open-directory.ts';

const { tenantNameCharactersMax } = consoleLimits;

const validName = new RegExp(`^(?!\\s)\\P{Cc}{1,${tenantNameCharactersMax}}(?<!\\s)$`, 'u');

/** Returns why a string cannot be the name of a tenant, or `undefined` when it can. */
export function tenantNameProblem(name: string): string | undefined {
  const problem = invisibleInName(name, 'invisibleInTenant');
  if (problem !== undefined) return problemInEnglish(problem);
  return validName.test(name)
    ? undefined
    : `a tenant's name has 1 to ${tenantNameCharactersMax} characters, no control character and no white space at its ends`;
}

/** Makes a tenant. Throws `AdminError` when the name is taken, or looks exactly like a tenant's. */
export async function createTenant({ database, actor }: OpenDirectory, name: string): Promise<TenantRecord> {
  const tenant = await database.tenants.insertTenant(name, { actor });
  if (tenant !== undefined) return tenant;
  const twin = await findTwin(database.tenants, name);
  throw twin === undefined ? refused('tenantTaken', name) : refused('tenantLooksTaken', twin);
}

function refused(key: 'tenantTaken' | 'tenantLooksTaken', name: string): AdminError {
  return new AdminError(problemInEnglish({ key, values: { name: `'${name}'` } }));
}

/** Returns the tenant of that name. Throws an error that says how to make a missing one. */
export async function requireTenant(database: Database, name: string): Promise<TenantRecord> {
  const tenant = await database.tenants.findTenant(name);
  if (tenant !== undefined) return tenant;
  throw new UnknownTenantError(`there is no tenant '${name}'${await adviceFor(database, name)}`);
}

/** Ends the sentence with advice. Creating a tenant under a mistyped name would only add an empty one. */
async function adviceFor({ tenants }: Database, name: string): Promise<string> {
  const problem = tenantNameProblem(name);
  if (problem !== undefined) return `: ${problem}; list them with: fieldroster tenant list`;
  const alike = (await tenants.listTenants()).find((tenant) => folded(tenant.name) === folded(name));
  if (alike === undefined) return `; create it with: fieldroster tenant create ${quoted(name)}`;
  return `, but there is '${alike.name}': names are compared exactly; list them with: fieldroster tenant list`;
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Quotes a word for a shell, if it needs that. */
function quoted(word: string): string {
  if (/^[\w.][\w.-]*$/.test(word)) return word;
  return `${word.startsWith('-') ? '-- ' : ''}'${word.replaceAll("'", "'\\''")}'`;
}

export class UnknownTenantError extends OperatorError {
  override readonly name = 'UnknownTenantError';
}
