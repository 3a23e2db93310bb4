import type { Database, TenantRecord } from '../database/database.ts';
import { AdminError } from './admin-error.ts';
import type { OpenDirectory } from './open-directory.ts';

const nameCharactersMax = 100;

/** Returns why a string cannot be the name of a tenant, or `undefined` when it can. */
export function tenantNameProblem(name: string): string | undefined {
  return /^(?!\s)[^\p{Cc}]{1,100}(?<!\s)$/u.test(name)
    ? undefined
    : `a tenant's name has 1 to ${nameCharactersMax} characters, no control character and no white space at its ends`;
}

/** Makes a tenant. Throws `AdminError` when the name is taken. */
export async function createTenant({ database, actor }: OpenDirectory, name: string): Promise<TenantRecord> {
  const tenant = await database.tenants.insertTenant(name, { actor });
  if (tenant === undefined) throw new AdminError(`a tenant '${name}' already exists; choose another name`);
  return tenant;
}

/** Returns the tenant of that name. Throws an error that says how to make a missing one. */
export async function requireTenant(database: Database, name: string): Promise<TenantRecord> {
  const tenant = await database.tenants.findTenant(name);
  if (tenant === undefined) {
    throw new UnknownTenantError(
      `there is no tenant '${name}'; create it with: fieldroster tenant create ${name}`,
    );
  }
  return tenant;
}

export class UnknownTenantError extends Error {
  override readonly name = 'UnknownTenantError';
}
