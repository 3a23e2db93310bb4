import type { ConsoleOperations } from '@fieldroster/contract/console';
import type { ConsoleHandler } from '../console-context.ts';

export const createTenant: ConsoleHandler<ConsoleOperations['createTenant']> = async (
  { name },
  { parts, refuse, actor, claim },
) => {
  const tenant = await parts.database.tenants.insertTenant(name, { actor, claim });
  if (tenant === undefined) throw refuse(1613, `a tenant ${JSON.stringify(name)} already exists`);
  return { id: tenant.id, name: tenant.name };
};
