import { limits } from '@fieldroster/contract/limits';
import { callConsole, callDirectory } from '../../../api/call.ts';
import { cursorOf } from '../../../api/directory-lists.ts';
import type { FoundUser } from '../../../api/user-search-query.ts';
import type { Id } from '../../../api/wire.ts';
import { toFilters } from '../user-list-filters.ts';
import type { UserSearch } from '../user-search.ts';

/** Returns how many users the filters leave; fewer if the server stops counting. */
export async function countExportedUsers(
  tenant: Id,
  search: UserSearch,
  signal: AbortSignal,
): Promise<number> {
  const { users } = await callConsole('countUsers', toFilters(search), tenant, { signal });
  return Number(users);
}

/** Reads every user that the filters leave, page by page. */
export async function* readExportedUsers(
  tenant: Id,
  search: UserSearch,
  signal: AbortSignal,
): AsyncIterable<readonly FoundUser[]> {
  let cursor = '';
  do {
    const page = await callDirectory(
      'listUsers',
      tenant,
      { ...toFilters(search), limit: limits.pageEntriesMax, ...cursorOf(cursor) },
      { signal },
    );
    yield page.users;
    cursor = page.next_cursor;
  } while (cursor !== '');
}
