import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { AuditEvent } from '../../api/audit-event.ts';
import { callConsole, type OwnInput, type OwnResult } from '../../api/call.ts';
import { cursorOf } from '../../api/directory-lists.ts';
import { type Id, parseId } from '../../api/wire.ts';
import { timeOfDays } from '../../parts/fields/time-of-days.ts';
import type { AuditSearch } from './audit-search.ts';

export interface EventsPage {
  readonly events: readonly AuditEvent[];
  readonly next_cursor: string;
  readonly operators?: OwnResult<'listEvents'>['operators'];
}

/** Reads a page of the changes to which the filters apply. */
export function readAuditPage(
  tenant: Id,
  search: AuditSearch,
  page: { readonly cursor: string; readonly limit: number; readonly signal?: AbortSignal },
): Promise<EventsPage> {
  const { cursor, limit, signal } = page;
  const part = { limit, ...cursorOf(cursor) };
  if (search.of === 'deployment') return callConsole('listDeploymentEvents', part, undefined, { signal });
  return callConsole('listEvents', { ...filtersOf(search), ...part }, tenant, { signal });
}

function filtersOf({ operation, user, store, app, operator, ...days }: AuditSearch): OwnInput<'listEvents'> {
  const [userId, operatorId] = [parseId(user), parseId(operator)];
  return {
    ...(operation !== undefined && { operation }),
    ...(userId !== undefined && { user_id: userId }),
    ...(store !== undefined && { store_code: store }),
    ...(app !== undefined && { app_id: app }),
    ...(operatorId !== undefined && { operator_id: operatorId }),
    ...timeOfDays(days),
  };
}

export const auditQuery = (tenant: Id, search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit', String(tenant), 'list', search],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      readAuditPage(tenant, search, { cursor: pageParam, limit: 50, signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor || undefined,
  });
