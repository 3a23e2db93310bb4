import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callDirectory, type DirectoryResult } from './call.ts';
import { cursorOf } from './directory-lists.ts';
import { findFirst } from './find-first.ts';
import { searchText } from './search-text.ts';
import type { Id } from './wire.ts';

export type FoundUser = DirectoryResult<'listUsers'>['users'][number];

/** Finds the first users that match the typed text. */
export function userSearchQuery(tenant: Id, typed: string) {
  const search = searchText(typed);
  return queryOptions({
    queryKey: ['users', String(tenant), 'found', search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      findFirst(async (after, limit) => {
        const filter = { limit, ...(search !== '' && { search }), ...cursorOf(after) };
        const { users, next_cursor } = await callDirectory('listUsers', tenant, filter, { signal });
        return { entries: users, next: next_cursor };
      }),
  });
}

/** Returns the name to show for a user. */
export function nameOf({ real_name, username }: Pick<FoundUser, 'real_name' | 'username'>): string {
  return real_name || username;
}

/** Returns what tells a user from namesakes: the name and the username. */
export function fullNameOf(user: Pick<FoundUser, 'real_name' | 'username'>): string {
  return user.real_name === '' ? user.username : `${user.real_name} (${user.username})`;
}
