import { queryOptions } from '@tanstack/react-query';
import { callConsole, type DirectoryResult, type OwnResult } from './call.ts';
import type { Id } from './wire.ts';

export type QueriedUser = DirectoryResult<'queryUser'>;

/** A user as the drawer shows it. */
export interface UserDetails {
  readonly user: QueriedUser;
  readonly status: OwnResult<'queryUserDetails'>['status'];
  /** The revision that an update expects. */
  readonly revision: Id;
}

/** Reads a user with its status and revision. */
export const userQuery = (tenant: Id, id: Id) =>
  queryOptions({
    queryKey: ['user', String(tenant), String(id)],
    queryFn: async ({ signal }): Promise<UserDetails> => {
      const details = await callConsole('queryUserDetails', { user_id: id }, tenant, { signal });
      const { status, revision, ...user } = details;
      return { user, status, revision };
    },
  });
