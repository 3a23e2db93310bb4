import type { ConsoleOperations } from '@fieldroster/contract/console';
import { findTwin } from '../../directory/find-twin.ts';
import { invisibleInName } from '../../directory/invisible-character.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ConsoleHandler } from '../console-context.ts';

export const createTenant: ConsoleHandler<ConsoleOperations['createTenant']> = async (
  { name },
  { parts: { database }, refuse, actor, claim },
) => {
  const problem = invisibleInName(name, 'invisibleInTenant');
  if (problem !== undefined) throw new ApiError(1001, problem);
  const tenant = await database.tenants.insertTenant(name, { actor, claim });
  if (tenant !== undefined) return { id: tenant.id, name: tenant.name };
  const twin = await findTwin(database.tenants, name);
  if (twin !== undefined) throw refuse(1613, { key: 'tenantLooksTaken', values: { name: quoted(twin) } });
  throw refuse(1613, { key: 'tenantTaken', values: { name: quoted(name) } });
};

function quoted(name: string): string {
  return JSON.stringify(name);
}
