import type { Tenants } from '../database/database.ts';

/** Returns the name of another tenant that looks the same: it differs only in code points. */
export async function findTwin(
  tenants: Pick<Tenants, 'listTenants'>,
  name: string,
): Promise<string | undefined> {
  const names = (await tenants.listTenants()).map((tenant) => tenant.name);
  return names.find((other) => other !== name && other.normalize() === name.normalize());
}
