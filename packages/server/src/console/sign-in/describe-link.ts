import type { OperatorAccess, OperatorEvent, OperatorLink, OperatorReader } from '../../database/database.ts';

/** Returns what the audit says of a link: whom it is for, who made it and when it expires. */
export async function describeLink(
  { operatorId, madeBy, expiresAtMs, ...access }: Omit<OperatorLink, 'tokenHash'>,
  operators: Pick<OperatorReader, 'find'>,
): Promise<OperatorEvent['changes']> {
  const purpose =
    operatorId === undefined
      ? describeAccess(access)
      : { operator_id: String(operatorId), username: (await operators.find(operatorId))?.username ?? '' };
  return {
    ...purpose,
    ...(madeBy !== undefined && { made_by: String(madeBy) }),
    expires_at: new Date(expiresAtMs).toISOString(),
  };
}

/** Returns what the audit says of an operator's access. */
export function describeAccess({ role, allTenants, tenantIds }: OperatorAccess) {
  return { role, all_tenants: allTenants, tenant_ids: tenantIds.map(String) };
}
