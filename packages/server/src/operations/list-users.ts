import type { Input, Operations } from '@fieldroster/contract';
import type { DirectoryReader, ListedUser, UserListRequest } from '../database/database.ts';
import { presentListedUser } from '../directory/present-user.ts';
import { fromCursor, type PageKey, toCursor } from './cursor.ts';
import type { Handler } from './handler.ts';
import { pageSize } from './read-page.ts';
import { requireBegun, requireMilliseconds } from './require-milliseconds.ts';
import { filtersOf, type RefuseTarget, requireTargets } from './user-filters.ts';

export const listUsers: Handler<Operations['listUsers']> = async (input, { directory, refuse, now }) => {
  const { updated_since } = input;
  requireMilliseconds({ updated_since });
  requireBegun({ updated_since }, now());
  const { entries, next_cursor } = await readUserPage(input, directory, refuse);
  return { users: entries.map(presentListedUser), next_cursor };
};

const listName = 'list-users';

interface UserPage {
  readonly entries: readonly ListedUser[];
  readonly next_cursor: string;
}

/** Reads the page that the filters and the cursor ask for. */
export async function readUserPage(
  input: ListInput,
  directory: DirectoryReader,
  refuse: RefuseTarget,
): Promise<UserPage> {
  const order = orderOf(input);
  const after = positionOf(input.cursor, order);
  await requireTargets(input, directory, refuse);
  const { entries, next } = await directory.lists.listUsers({
    filters: filtersOf(input),
    order,
    after,
    limit: pageSize(input.limit),
  });
  // A removal after the look-up would look like a target without users.
  if (entries.length === 0) await requireTargets(input, directory, refuse);
  return { entries, next_cursor: toCursor(listName, keyOf(order, next)) };
}

type ListInput = Input<Operations['listUsers']>;

/** Returns the order of the list. Each of the other filters has its own index, ordered by id. */
function orderOf(input: ListInput): UserListRequest['order'] {
  const { updated_since, search, role_id, org_id, store_code, department } = input;
  const byId = [search, role_id, org_id, store_code, department].some((filter) => filter !== undefined);
  return updated_since === undefined || byId ? 'id' : 'change';
}

function keyOf(order: UserListRequest['order'], next: UserListRequest['after']): PageKey | undefined {
  return next && (order === 'change' ? [next.at, next.id] : [next.id]);
}

function positionOf(cursor: string | undefined, order: UserListRequest['order']): UserListRequest['after'] {
  const key = fromCursor(listName, cursor, order === 'change' ? ['bigint', 'bigint'] : ['bigint']) as
    | readonly bigint[]
    | undefined;
  if (key === undefined) return undefined;
  const [first = 0n, id = first] = key;
  return { at: order === 'change' ? first : 0n, id };
}
