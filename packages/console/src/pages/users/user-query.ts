import { queryOptions } from '@tanstack/react-query';
import { callDirectory, type DirectoryResult } from '../../api/call.ts';
import type { Id } from '../../api/wire.ts';

export type QueriedUser = DirectoryResult<'queryUser'>;
type ListedUser = DirectoryResult<'listUsers'>['users'][number];

/** A user as the drawer shows it. */
export interface UserDetails {
  readonly user: QueriedUser;
  readonly status: ListedUser['status'] | undefined;
  /** The revision that an update expects; `undefined` when the list did not return it. */
  readonly revision: Id | undefined;
}

/** Reads a user with its status and revision, which only the list returns. */
export const userQuery = (tenant: Id, id: Id) =>
  queryOptions({
    queryKey: ['user', String(tenant), String(id)],
    queryFn: async ({ signal }): Promise<UserDetails> => {
      const user = await callDirectory('queryUser', tenant, { user_id: id }, { signal });
      const listed = await callDirectory(
        'listUsers',
        tenant,
        { search: user.username, limit: 100 },
        { signal },
      );
      const entry = listed.users.find(({ username }) => username === user.username);
      return { user, status: entry?.status, revision: entry?.revision };
    },
  });
