import { queryOptions } from '@tanstack/react-query';
import { callDirectory, type DirectoryInput } from './call.ts';
import type { Id } from './wire.ts';

/** One role, organization or store. */
export type AssignedQuery = Pick<DirectoryInput<'listUsers'>, 'role_id' | 'org_id' | 'store_code'>;

/** The largest page. Beyond 500 the exact number does not matter to the reader. */
const countedMax = 500;

/** How many users are assigned to a role, an organization or a store. */
export const assignedQuery = (tenant: Id, assigned: AssignedQuery) =>
  queryOptions({
    queryKey: ['users', String(tenant), 'assigned', ...Object.entries(assigned).flat().map(String)],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const page = await callDirectory('listUsers', tenant, { ...assigned, limit: countedMax }, { signal });
      return { count: page.users.length, isMore: page.next_cursor !== '' };
    },
  });
