import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnResult } from '../../api/call.ts';
import type { HistoryRange } from '../../api/history-ranges.ts';
import type { Id } from '../../api/wire.ts';

export type CallHistory = OwnResult<'queryCallHistory'>;
export type Health = OwnResult<'queryHealth'>;
export type Failing = Health['failing'][number];

/** Servers write their counts once a minute. A hidden tab asks for nothing. */
const live = { refetchInterval: 15_000, refetchIntervalInBackground: false } as const;

export const callHistoryQuery = (tenant: Id, range: HistoryRange) =>
  queryOptions({
    ...live,
    queryKey: ['call-history', String(tenant), range],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callConsole('queryCallHistory', { range }, tenant, { signal }),
  });

export const healthQuery = (tenant: Id) =>
  queryOptions({
    queryKey: ['health', String(tenant)],
    queryFn: ({ signal }) => callConsole('queryHealth', {}, tenant, { signal }),
    // The first count of a large directory ends soon after the page opens.
    refetchInterval: ({ state }) => (state.data?.counts === undefined ? 2_000 : live.refetchInterval),
  });

export const latestChangesQuery = (tenant: Id) =>
  queryOptions({
    ...live,
    queryKey: ['audit', String(tenant), 'latest'],
    queryFn: ({ signal }) => callConsole('listEvents', { limit: 8 }, tenant, { signal }),
  });
