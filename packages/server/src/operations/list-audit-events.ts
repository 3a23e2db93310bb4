import { auditFieldsOfEveryScope, type Input, type Operations } from '@fieldroster/contract';
import type { AuditEntry, AuditFilters, UserManagementReader } from '../database/database.ts';
import { fromCursor, toCursor } from './cursor.ts';
import type { Handler } from './handler.ts';
import { pageSize } from './read-page.ts';
import { requireBegun, requireMilliseconds } from './require-milliseconds.ts';

const listName = 'list-audit-events';

export const listAuditEvents: Handler<Operations['listAuditEvents']> = async (
  input,
  { directory, scope, now },
) => {
  requireMilliseconds({ since: input.since, until: input.until });
  requireBegun({ since: input.since }, now());
  const key = fromCursor(listName, input.cursor, ['bigint', 'bigint']) as readonly bigint[] | undefined;
  const [at = 0n, id = 0n] = key ?? [];
  const { entries, next } = await directory.lists.listAuditEvents({
    filters: filtersOf(input),
    after: key && { at, id },
    limit: pageSize(input.limit),
  });
  const shown = scope === 'manage' ? entries : await hideValues(entries, directory.users);
  return { events: shown.map(presentEvent), next_cursor: toCursor(listName, next && [next.at, next.id]) };
};

/** Hides all values except those that the application could read, or could have read, by querying the user. */
async function hideValues(
  entries: readonly AuditEntry[],
  users: UserManagementReader,
): Promise<readonly AuditEntry[]> {
  const userIds = new Set(entries.flatMap(({ userId }) => userId ?? []));
  // Look for removed users after reading the list: a user removed in between must not be shown.
  const removed = new Set(userIds.size === 0 ? [] : await users.listUnknownUsers([...userIds]));
  return entries.map((entry) => {
    const userExists = entry.userId !== undefined && !removed.has(entry.userId);
    return { ...entry, changes: visibleChanges(entry.changes, userExists) };
  });
}

function visibleChanges(changes: AuditEntry['changes'], userExists: boolean): AuditEntry['changes'] {
  const visible = (name: string) => userExists && auditFieldsOfEveryScope.has(name);
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [name, visible(name) ? change : {}]),
  );
}

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
