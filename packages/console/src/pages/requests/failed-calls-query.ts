import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { cursorOf } from '../../api/directory-lists.ts';
import type { Id } from '../../api/wire.ts';
import { timeOfDays } from '../../parts/fields/time-of-days.ts';
import type { RequestSearch } from './request-search.ts';

export type FailedCall = OwnResult<'listFailedCalls'>['calls'][number];

/** Looks for new ones while only the first page is shown; more pages would move under the reader. */
export const failedCallsQuery = (tenant: Id, { app, operation, code, request, ...days }: RequestSearch) =>
  infiniteQueryOptions({
    queryKey: ['failed-calls', String(tenant), { app, operation, code, request, ...days }],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      callConsole(
        'listFailedCalls',
        {
          limit: 100,
          ...(app !== undefined && { app_id: app }),
          ...(operation !== undefined && { operation }),
          ...(code !== undefined && { code }),
          ...(request !== undefined && { request_id: request }),
          ...timeOfDays(days),
          ...cursorOf(pageParam),
        },
        tenant,
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor || undefined,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? 10_000 : false),
  });
