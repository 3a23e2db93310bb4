import { parseId } from '../../api/wire.ts';
import type { UserSearch } from './user-search.ts';

/** Returns what the list asks the server for, from the filters in the address. */
export function toFilters({ search, role, org, store, missing, status, changed }: UserSearch) {
  const [roleId, orgId] = [parseId(role), parseId(org)];
  return {
    ...(search !== undefined && { search }),
    ...(roleId !== undefined && { role_id: roleId }),
    ...(orgId !== undefined && { org_id: orgId, include_children: true }),
    ...(store !== undefined && { store_code: store }),
    ...(missing !== undefined && { unbound: missing }),
    ...(status !== undefined && { status }),
    ...(changed !== undefined && { updated_since: changed }),
  };
}
