import { infiniteQueryOptions } from '@tanstack/react-query';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { cursorOf } from '../../api/directory-lists.ts';
import type { Id } from '../../api/wire.ts';
import { toFilters } from './user-list-filters.ts';
import type { UserSearch } from './user-search.ts';

/** A user in the list, with the number of their stores. */
export type ListedUser = OwnResult<'findUsers'>['users'][number];

const pageRows = 100;

/** Reads the list of users that match the filters, page by page. */
export const userListQuery = (tenant: Id, search: UserSearch) =>
  infiniteQueryOptions({
    queryKey: ['users', String(tenant), search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      callConsole('findUsers', { ...toFilters(search), limit: pageRows, ...cursorOf(pageParam) }, tenant, {
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor || undefined,
  });
