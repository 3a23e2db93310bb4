import type { OperatorRecord } from '../../database/database.ts';
import type { ConsoleContext } from '../console-context.ts';

/** Returns the page's view of the session: the operator, its tenants and the server. */
export async function presentSession(operator: OperatorRecord, { parts }: Pick<ConsoleContext, 'parts'>) {
  const { id, username, role, allTenants, tenantIds, totpSealed } = operator;
  const tenants = await parts.database.tenants.listTenants();
  const visible = tenants.filter((tenant) => allTenants || tenantIds.includes(tenant.id));
  return {
    operator: {
      id,
      username,
      role,
      all_tenants: allTenants,
      second_factor: totpSealed !== undefined,
    },
    tenants: visible.map((tenant) => ({ id: tenant.id, name: tenant.name })),
    release: parts.release,
    base_path: parts.basePath,
    operations_port: parts.operationsPort() ?? null,
    time: BigInt(parts.now()),
  };
}
