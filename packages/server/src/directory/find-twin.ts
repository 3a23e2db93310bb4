import type { Tenants } from '../database/database.ts';
import { areTwins } from './are-twins.ts';

/** Returns the name of another tenant that looks the same. */
export async function findTwin(
  tenants: Pick<Tenants, 'listTenants'>,
  name: string,
): Promise<string | undefined> {
  const names = (await tenants.listTenants()).map((tenant) => tenant.name);
  return names.find((other) => areTwins(name, other));
}
