import { consoleLimits } from '@fieldroster/contract/console-limits';
import type { Database, TenantRecord } from '../database/database.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { AdminError } from './admin-error.ts';
import type { OpenDirectory } from './open-directory.ts';

const { tenantNameCharactersMax } = consoleLimits;

const validName = new RegExp(`^(?!\\s)\\P{Cc}{1,${tenantNameCharactersMax}}(?<!\\s)$`, 'u');

/** Returns why a string cannot be the name of a tenant, or `undefined` when it can. */
export function tenantNameProblem(name: string): string | undefined {
  if (invisible.test(name)) return "a tenant's name has no invisible character";
  return validName.test(name)
    ? undefined
    : `a tenant's name has 1 to ${tenantNameCharactersMax} characters, no control character and no white space at its ends`;
}

/** Characters that change the direction of writing, line separators and zero-width characters. */
const invisible = /[\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;

/** Makes a tenant. Throws `AdminError` when the name is taken, or looks exactly like a tenant's. */
export async function createTenant({ database, actor }: OpenDirectory, name: string): Promise<TenantRecord> {
  const others = (await database.tenants.listTenants()).filter((other) => other.name !== name);
  const twin = others.find((other) => other.name.normalize() === name.normalize());
  if (twin !== undefined) {
    throw new AdminError(
      `a tenant '${twin.name}' already exists, whose name is the same with other code points; choose another name`,
    );
  }
  const tenant = await database.tenants.insertTenant(name, { actor });
  if (tenant === undefined) throw new AdminError(`a tenant '${name}' already exists; choose another name`);
  return tenant;
}

/** Returns the tenant of that name. Throws an error that says how to make a missing one. */
export async function requireTenant(database: Database, name: string): Promise<TenantRecord> {
  const tenant = await database.tenants.findTenant(name);
  if (tenant !== undefined) return tenant;
  throw new UnknownTenantError(`there is no tenant '${name}'${await adviceFor(database, name)}`);
}

/** Ends a sentence. A tenant made for a mistyped name would be a second one, in which everything is missing. */
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
