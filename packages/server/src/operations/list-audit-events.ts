import type { Input, Operations } from '@fieldroster/contract';
import type { AuditEntry, AuditFilters } from '../store/store.ts';
import type { Handler } from './handler.ts';
import { fromCursor, pageSize, toCursor } from './page.ts';

export const listAuditEvents: Handler<Operations['listAuditEvents']> = async (input, { directory }) => {
  const key = fromCursor(input.cursor, ['bigint', 'bigint']) as readonly bigint[] | undefined;
  const [at = 0n, id = 0n] = key ?? [];
  const { entries, next } = await directory.lists.listAuditEvents({
    filters: filtersOf(input),
    after: key && { at, id },
    limit: pageSize(input.limit),
  });
  return { events: entries.map(presentEvent), next_cursor: toCursor(next && [next.at, next.id]) };
};

function filtersOf(input: Input<Operations['listAuditEvents']>): AuditFilters {
  const { user_id, app_id, operation, since, until } = input;
  return {
    ...(user_id !== undefined && { userId: user_id }),
    ...(app_id !== undefined && { appId: app_id }),
    ...(operation !== undefined && { operation }),
    ...(since !== undefined && { sinceMs: since }),
    ...(until !== undefined && { untilMs: until }),
  };
}

function presentEvent(event: AuditEntry) {
  return {
    id: event.id,
    at: event.atMs,
    app_id: event.appId ?? '',
    operation: event.operation,
    user_id: event.userId ?? 0n,
    request_id: event.requestId ?? '',
    changes: event.changes,
  };
}
