import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnResult } from './call.ts';
import type { HistoryRange } from './history-ranges.ts';
import { live } from './live.ts';
import type { Id } from './wire.ts';

export type CallHistory = OwnResult<'queryCallHistory'>;

/** Reads the counts of calls over time, by operation and by code. */
export const callHistoryQuery = (tenant: Id, range: HistoryRange) =>
  queryOptions({
    ...live,
    queryKey: ['call-history', String(tenant), range],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callConsole('queryCallHistory', { range }, tenant, { signal }),
  });
