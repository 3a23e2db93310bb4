import { type ConsoleReach, type OperatorRole, operatorRoles } from '@fieldroster/contract/console';
import type { OperatorAccess } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { KnownTenants } from './known-tenants.ts';

/** The access that an operation requires. */
export interface Demand {
  readonly name: string;
  readonly reach: ConsoleReach;
  readonly role: OperatorRole;
}

/** Returns whether a role includes another. */
export function includesRole(role: OperatorRole, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed);
}

/** Throws 1604 unless the operator's role and reach include what the operation does. */
export function requireOperatorRole({ name, reach, role }: Demand, operator: OperatorAccess): void {
  if (!includesRole(operator.role, role)) {
    const values = { operation: name, role, own: operator.role };
    throw new ApiError(1604, { key: 'needsRole', values });
  }
  if (reach === 'deployment' && !operator.allTenants) {
    throw new ApiError(1604, { key: 'needsAllTenants', values: { operation: name } });
  }
}

/**
 * Returns the tenant's id. A tenant that does not exist and one that the operator may not see are refused alike.
 *
 * @throws {ApiError} 1606
 */
export async function requireTenantAccess(
  text: string | undefined,
  operator: OperatorAccess,
  tenants: Pick<KnownTenants, 'has'>,
): Promise<bigint> {
  const id = /^\d{1,18}$/.test(text ?? '') ? BigInt(text ?? '') : undefined;
  if (id === undefined) throw noSuchTenant();
  const hasAccess = operator.allTenants ? await tenants.has(id) : operator.tenantIds.includes(id);
  if (!hasAccess) throw noSuchTenant();
  return id;
}

export function noSuchTenant(): ApiError {
  return new ApiError(1606, 'there is no such tenant, or you have no access to it');
}

export function noSession(): ApiError {
  return new ApiError(1601, 'you are not signed in, or your session has ended; sign in again');
}
