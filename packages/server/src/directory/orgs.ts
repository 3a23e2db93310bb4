import { type Data, limits, type Operations } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import type { ManagedOrg, OrgFields } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import { presentOrg } from './present-user.ts';
import { WireFields } from './wire-fields.ts';

export const orgFields = new WireFields<OrgFields>({ name: 'name', parentId: 'parent_id' });

/** Returns the organization entry of the user query, with its revision. */
export function presentManagedOrg(org: ManagedOrg): Data<Operations['queryOrg']> {
  return { ...presentOrg(org), revision: org.revision };
}

/** Throws 1301 if there is no organization. */
export function requireOrg(
  org: ManagedOrg | undefined,
  id: bigint,
  refuse: (code: 1301, message: string | Problem) => ApiError,
): ManagedOrg {
  if (org === undefined) throw refuse(1301, { key: 'noOrg', values: { id: String(id) } });
  return org;
}

/**
 * Throws 1001 if an organization below this parent would make a tree of too many levels: lists with `include_children`
 * walk up the tree from each user.
 */
export function refuseTooManyLevels(parentId: bigint, levels: number): void {
  const max = limits.orgLevelsMax;
  if (levels <= max) return;
  throw new ApiError(1001, { key: 'tooManyLevels', values: { parent: String(parentId), max } });
}
