import { consoleLimits } from '@fieldroster/contract/console';
import type { OperatorAccess, OperatorLink, OperatorReader } from '../../database/database.ts';
import { hashToken, newToken } from './tokens.ts';

export type LinkRequest = OperatorAccess & Pick<OperatorLink, 'operatorId' | 'madeBy'>;

const linkMs = consoleLimits.linkSeconds * 1000;

/**
 * Returns a link that has not ended. One that would last far longer than links do was made while a clock was ahead that
 * has since been set back.
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
