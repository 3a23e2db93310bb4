import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

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
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const retry = () => void (isFetchNextPageError ? fetchNextPage() : refetch());
  return { query, rows, loadMore, retry };
}
