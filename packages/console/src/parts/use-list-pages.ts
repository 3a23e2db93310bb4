import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useListFailure } from './notices/use-list-failure.ts';

/**
 * Reads a list page by page. Once a page is refused, only `retry` asks for it again.
 *
 * @param rowsOf the rows of a page; a function that stays the same, or all rows are collected at every rendering
 */
export function useListPages<Page, Row, Key extends QueryKey, Cursor>(
  options: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, Key, Cursor>,
  rowsOf: (page: Page) => readonly Row[],
) {
  const query = useInfiniteQuery(options);
  const rows = useMemo(() => query.data?.pages.flatMap(rowsOf) ?? [], [query.data, rowsOf]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const { failure, pageFailure } = useListFailure(query);
  const hasPageFailed = pageFailure !== null;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !hasPageFailed) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, hasPageFailed, fetchNextPage]);
  // The server looks at a limited number of entries for each page, so a page may be empty while others match.
  const isSearching = rows.length === 0 && hasNextPage;
  useEffect(() => {
    if (isSearching) loadMore();
  }, [isSearching, loadMore]);
  const retry = () => void (hasPageFailed ? fetchNextPage() : refetch());
  // Without a row, nothing is above the notice.
  const failed =
    rows.length === 0 ? { failure: failure ?? pageFailure, pageFailure: null } : { failure, pageFailure };
  return { query, rows, isSearching, loadMore, retry, ...failed };
}
