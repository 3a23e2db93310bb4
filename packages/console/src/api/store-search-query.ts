import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnInput, type OwnResult } from './call.ts';
import { findFirst } from './find-first.ts';
import { searchText } from './search-text.ts';
import type { Id } from './wire.ts';

export type FoundStore = OwnResult<'findStores'>['stores'][number];

type StoreFilter = Pick<OwnInput<'findStores'>, 'search' | 'unassigned'>;

/** The stores that match the filters, page by page. */
export const foundStoresQuery = (tenant: Id, filter: StoreFilter) =>
  infiniteQueryOptions({
    queryKey: ['stores', String(tenant), 'list', filter],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      callConsole('findStores', { ...filter, after: pageParam, limit: 200 }, tenant, { signal }),
    getNextPageParam: ({ next }) => next || undefined,
  });

/** Finds the first stores whose code, name or address contains the typed text. */
export function storeSearchQuery(tenant: Id, typed: string) {
  const search = searchText(typed);
  return queryOptions({
    queryKey: ['stores', String(tenant), 'found', search],
    queryFn: ({ signal }) =>
      findFirst(async (after, limit) => {
        const { stores, next } = await callConsole('findStores', { search, after, limit }, tenant, {
          signal,
        });
        return { entries: stores, next };
      }),
  });
}
