import type { OperatorRecord } from '../../database/database.ts';
import type { ConsoleContext } from '../console-context.ts';
import { isBound, lacksSecondFactor } from '../sign-in/mandatory-second-factor.ts';

/** Returns the page's view of the session: the operator, its tenants and the server. */
export async function presentSession(operator: OperatorRecord, { parts }: Pick<ConsoleContext, 'parts'>) {
  const { id, username, role, allTenants, tenantIds, totpSealed, recoveryHashes } = operator;
  const rule = parts.deployment.settings.secondFactor;
  const tenants = lacksSecondFactor(operator, rule) ? [] : await parts.database.tenants.listTenants();
  const visible = tenants.filter((tenant) => allTenants || tenantIds.includes(tenant.id));
  return {
    operator: {
      id,
      username,
      role,
      all_tenants: allTenants,
      second_factor: totpSealed !== undefined,
      second_factor_mandatory: isBound(operator, rule),
      recovery_codes_left: recoveryHashes.length,
    },
    tenants: visible.map((tenant) => ({ id: tenant.id, name: tenant.name })),
    release: parts.release,
    base_path: parts.basePath,
    operations_port: parts.operationsPort() ?? null,
    time: BigInt(parts.now()),
  };
}
