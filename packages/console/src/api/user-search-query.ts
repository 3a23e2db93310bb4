import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callDirectory, type DirectoryResult } from './call.ts';
import type { Id } from './wire.ts';

export type FoundUser = DirectoryResult<'listUsers'>['users'][number];

const usersShown = 8;

/** The first users that match what one types; only active ones if asked for. */
export const userSearchQuery = (tenant: Id, search: string, isActive = false) =>
  queryOptions({
    queryKey: ['users', String(tenant), 'found', search, isActive],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const page = await callDirectory(
        'listUsers',
        tenant,
        {
          limit: usersShown,
          ...(search !== '' && { search }),
          ...(isActive && { status: 'active' as const }),
        },
        { signal },
      );
      return page.users;
    },
  });

/** Returns the name to show for a user. */
export function nameOf({ real_name, username }: Pick<FoundUser, 'real_name' | 'username'>): string {
  return real_name || username;
}
