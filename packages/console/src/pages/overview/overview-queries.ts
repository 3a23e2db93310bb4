import { queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { live } from '../../api/live.ts';
import type { Id } from '../../api/wire.ts';

export type Health = OwnResult<'queryHealth'>;
export type Failing = Health['failing'][number];

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
