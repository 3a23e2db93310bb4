import { consoleLimits } from '@fieldroster/contract/console';
import type { OperatorAccess, OperatorEvent, OperatorLink, OperatorReader } from '../../database/database.ts';
import { hashToken, newToken } from './tokens.ts';

export type LinkRequest = OperatorAccess & Pick<OperatorLink, 'operatorId' | 'madeBy'>;

const linkMs = consoleLimits.linkSeconds * 1000;

/**
 * Returns a link that has not ended. A link that would last far longer than any does counts as ended: it was made while
 * a clock was ahead, and that clock has since been set back.
 *
 * @param nowMs Unix milliseconds
 */
export async function findLink(
  operators: Pick<OperatorReader, 'findLink'>,
  tokenHash: string,
  nowMs: number,
): Promise<OperatorLink | undefined> {
  const link = await operators.findLink(tokenHash);
  return link !== undefined && link.expiresAtMs <= nowMs + 2 * linkMs ? link : undefined;
}

/**
 * Creates a one-time link. Only the return value contains the token; the database stores its hash.
 *
 * @param request what the new operator may do; with `operatorId`, the link resets that operator's password instead.
 *   `madeBy` is the operator who makes it
 * @param nowMs Unix milliseconds
 */
export function newLink(
  { role, allTenants, tenantIds, operatorId, madeBy }: LinkRequest,
  nowMs: number,
): { readonly token: string; readonly link: OperatorLink } {
  const token = newToken();
  const link = {
    tokenHash: hashToken(token),
    role,
    allTenants,
    tenantIds,
    ...(operatorId !== undefined && { operatorId }),
    ...(madeBy !== undefined && { madeBy }),
    expiresAtMs: nowMs + linkMs,
  };
  return { token, link };
}

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
