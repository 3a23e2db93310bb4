import { queryOptions } from '@tanstack/react-query';
import { callConsole } from '../../api/call.ts';
import type { Id } from '../../api/wire.ts';

/** The latest changes of a user, who may have been deleted, with who made them. */
export const userHistoryQuery = (tenant: Id, id: Id) =>
  queryOptions({
    queryKey: ['audit', String(tenant), 'user', String(id)],
    queryFn: ({ signal }) => callConsole('listEvents', { user_id: id, limit: 50 }, tenant, { signal }),
  });
