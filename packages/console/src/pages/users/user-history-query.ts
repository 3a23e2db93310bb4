import { infiniteQueryOptions } from '@tanstack/react-query';
import { callConsole } from '../../api/call.ts';
import { cursorOf } from '../../api/directory-lists.ts';
import type { Id } from '../../api/wire.ts';

/** The changes of a user, who may have been deleted, with who made them; the latest page first. */
export const userHistoryQuery = (tenant: Id, id: Id) =>
  infiniteQueryOptions({
    queryKey: ['audit', String(tenant), 'user', String(id)],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      callConsole('listEvents', { user_id: id, limit: 50, ...cursorOf(pageParam) }, tenant, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor || undefined,
  });
