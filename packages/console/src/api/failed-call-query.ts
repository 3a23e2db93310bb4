import { queryOptions } from '@tanstack/react-query';
import { callConsole } from './call.ts';
import type { Id } from './wire.ts';

/** One failed call, by its request id. */
export const failedCallQuery = (tenant: Id, requestId: string) =>
  queryOptions({
    queryKey: ['failed-call', String(tenant), requestId],
    queryFn: ({ signal }) => callConsole('queryFailedCall', { request_id: requestId }, tenant, { signal }),
  });
