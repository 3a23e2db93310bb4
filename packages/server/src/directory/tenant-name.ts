import type { Problem } from '@fieldroster/contract/problems';
import type { Tenants } from '../database/database.ts';
import { findInvisible, lineSeparators } from './invisible-character.ts';

/** Returns what is wrong with a tenant's name that could pass for another one, or `undefined` for a plain one. */
export function invisibleInTenantName(name: string): Problem | undefined {
  const character = findInvisible(name, lineSeparators);
  return character === undefined ? undefined : { key: 'invisibleInTenant', values: { character } };
}

/** Returns the name of another tenant that looks the same: it differs only in code points. */
export async function findTwin(
  tenants: Pick<Tenants, 'listTenants'>,
  name: string,
): Promise<string | undefined> {
  const names = (await tenants.listTenants()).map((tenant) => tenant.name);
  return names.find((other) => other !== name && other.normalize() === name.normalize());
}
