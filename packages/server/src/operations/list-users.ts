import type { Input, Operations } from '@fieldroster/contract';
import type { ApiError } from '../api-error.ts';
import type { DirectoryReader, UserFilters, UserListRequest } from '../database/database.ts';
import { requireOrg } from '../directory/orgs.ts';
import { presentListedUser } from '../directory/present-user.ts';
import { requireRole } from '../directory/roles.ts';
import { requireStore } from '../directory/stores.ts';
import type { Handler } from './handler.ts';
import { fromCursor, pageSize, toCursor } from './page.ts';

export const listUsers: Handler<Operations['listUsers']> = async (input, { directory, refuse }) => {
  const order = orderOf(input);
  const after = positionOf(input.cursor, order);
  await requireTargets(input, directory, refuse);
  const { entries, next } = await directory.lists.listUsers({
    filters: filtersOf(input),
    order,
    after,
    limit: pageSize(input.limit),
  });
  return {
    users: entries.map(presentListedUser),
    next_cursor: toCursor(next && (order === 'change' ? [next.at, next.id] : [next.id])),
  };
};

type ListInput = Input<Operations['listUsers']>;

/** Returns the order of the list. Each of the other filters has its own index, ordered by id. */
function orderOf(input: ListInput): UserListRequest['order'] {
  const { updated_since, search, role_id, org_id, store_code, department } = input;
  const byId = [search, role_id, org_id, store_code, department].some((filter) => filter !== undefined);
  return updated_since === undefined || byId ? 'id' : 'change';
}

function positionOf(cursor: string | undefined, order: UserListRequest['order']): UserListRequest['after'] {
  const key = fromCursor(cursor, order === 'change' ? ['bigint', 'bigint'] : ['bigint']) as
    | readonly bigint[]
    | undefined;
  if (key === undefined) return undefined;
  const [first = 0n, id = first] = key;
  return { at: order === 'change' ? first : 0n, id };
}

/** Refuses a misspelt target, which would otherwise look like one without users. */
async function requireTargets(
  { role_id, org_id, store_code }: ListInput,
  directory: DirectoryReader,
  refuse: (code: 1201 | 1301 | 1401, message: string) => ApiError,
): Promise<void> {
  const { roles, orgs, stores } = directory;
  if (role_id !== undefined) requireRole(await roles.find(role_id), role_id, refuse);
  if (org_id !== undefined) requireOrg(await orgs.find(org_id), org_id, refuse);
  if (store_code !== undefined) requireStore(await stores.find(store_code), store_code, refuse);
}

function filtersOf(input: ListInput): UserFilters {
  const { search, role_id, org_id, include_children = false, store_code, department } = input;
  const { unbound, status, updated_since } = input;
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
