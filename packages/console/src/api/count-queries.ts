import { queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnInput } from './call.ts';
import type { Id } from './wire.ts';

export type UserFilter = OwnInput<'countUsers'>;

/** How many users match. The server stops counting at some thousands; `isMore` says that there may be more. */
export const userCountQuery = (tenant: Id, filter: UserFilter) =>
  queryOptions({
    queryKey: ['users', String(tenant), 'count', namesOf(filter)],
    queryFn: async ({ signal }) => {
      const { users, is_more } = await callConsole('countUsers', filter, tenant, { signal });
      return { count: Number(users), isMore: is_more };
    },
  });

/** How many stores match. */
export const storeCountQuery = (tenant: Id, filter: OwnInput<'countStores'>) =>
  queryOptions({
    queryKey: ['stores', String(tenant), 'count', filter],
    queryFn: async ({ signal }) => {
      const { stores, is_more } = await callConsole('countStores', filter, tenant, { signal });
      return { count: Number(stores), isMore: is_more };
    },
  });

/** Returns the filter as a key, in which ids are texts: a key is compared as JSON, which has no `bigint`. */
function namesOf(filter: UserFilter): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
}
