import { queryOptions } from '@tanstack/react-query';
import { callDirectory } from './call.ts';
import type { Id } from './wire.ts';

/** Reads the stores that a user looks after. */
export const userStoresQuery = (tenant: Id, id: Id) =>
  queryOptions({
    queryKey: ['user-stores', String(tenant), String(id)],
    queryFn: ({ signal }) => callDirectory('queryUserStores', tenant, { user_id: id }, { signal }),
  });
