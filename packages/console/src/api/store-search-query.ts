import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnInput, type OwnResult } from './call.ts';
import { searchText } from './search-text.ts';
import type { Id } from './wire.ts';

export type FoundStore = OwnResult<'findStores'>['stores'][number];

type StoreFilter = Pick<OwnInput<'findStores'>, 'search' | 'unassigned'>;

const storesShown = 8;

/** The server looks at some of many stores for each call. */
const callsMax = 20;

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
    queryFn: ({ signal }) => findFirst(tenant, search, signal),
  });
}

async function findFirst(tenant: Id, search: string, signal: AbortSignal): Promise<FoundStore[]> {
  const found: FoundStore[] = [];
  let after = '';
  for (let calls = 0; calls < callsMax && found.length < storesShown; calls++) {
    const limit = storesShown - found.length;
    const page = await callConsole('findStores', { search, after, limit }, tenant, { signal });
    found.push(...page.stores);
    if (page.next === '') break;
    after = page.next;
  }
  return found;
}
