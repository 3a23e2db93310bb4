import type { Input, Operations } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';
import type { DirectoryReader, UserFilters } from '../database/database.ts';
import { requireOrg } from '../directory/orgs.ts';
import { requireRole } from '../directory/roles.ts';
import { requireStore } from '../directory/stores.ts';
import { ApiError } from '../errors/api-error.ts';

type FilterInput = Omit<Input<Operations['listUsers']>, 'cursor' | 'limit'>;

/** Makes the error of a role, an organization or a store that does not exist. */
export type RefuseTarget = (code: 1201 | 1301 | 1401, message: string | Problem) => ApiError;

/** Refuses a misspelt target, which would otherwise look like one without users, and a filter without what it needs. */
export async function requireTargets(
  { role_id, org_id, include_children, store_code }: FilterInput,
  directory: DirectoryReader,
  refuse: RefuseTarget,
): Promise<void> {
  if (include_children === true && org_id === undefined) {
    throw new ApiError(1001, 'include_children needs org_id: send that too, or leave include_children out');
  }
  const { roles, orgs, stores } = directory;
  if (role_id !== undefined) requireRole(await roles.find(role_id), role_id, refuse);
  if (org_id !== undefined) requireOrg(await orgs.find(org_id), org_id, refuse);
  if (store_code !== undefined) requireStore(await stores.find(store_code), store_code, refuse);
}

/** Returns the filters as the database takes them. */
export function filtersOf(input: FilterInput): UserFilters {
  const { search, role_id, org_id, include_children = false, store_code, department, ...others } = input;
  const { unbound, status, updated_since, ...forgotten } = others;
  // A filter that nobody reads would return every user. The compiler names it here.
  forgotten satisfies Readonly<Record<string, never>>;
  return {
    ...(search !== undefined && { search }),
    ...(role_id !== undefined && { roleId: role_id }),
    ...(org_id !== undefined && { org: { id: org_id, includeChildren: include_children } }),
    ...(store_code !== undefined && { storeCode: store_code }),
    ...(department !== undefined && { department }),
    ...(unbound !== undefined && { unbound }),
    ...(status !== undefined && { status }),
    ...(updated_since !== undefined && { updatedSinceMs: updated_since }),
  };
}
