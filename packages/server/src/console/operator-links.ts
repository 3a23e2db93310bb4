import { consoleLimits } from '@fieldroster/contract/console';
import type { OperatorAccess, OperatorLink } from '../database/database.ts';
import { hashToken, newToken } from './tokens.ts';

export type LinkRequest = OperatorAccess & Pick<OperatorLink, 'operatorId' | 'madeBy'>;

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
    expiresAtMs: nowMs + consoleLimits.linkSeconds * 1000,
  };
  return { token, link };
}
