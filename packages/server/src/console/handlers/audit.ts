import type { ConsoleInput, ConsoleOperations } from '@fieldroster/contract/console';
import {
  type AuditEntry,
  type AuditFilters,
  type CommandActor,
  describeCommandActor,
  type OperatorEvent,
  type OperatorRecord,
  type StoredOperatorEvent,
} from '../../database/database.ts';
import { fromCursor, toCursor } from '../../operations/cursor.ts';
import { pageSize, readPage } from '../../operations/read-page.ts';
import { type AuditedUsers, colleagueOf, nameAuditedUsers } from '../audited-users.ts';
import type { ConsoleHandler } from '../console-context.ts';

export const listEvents: ConsoleHandler<ConsoleOperations['listEvents']> = async (
  input,
  { parts, tenantId, signedIn },
) => {
  const { database } = parts;
  const { lists } = database.directory(tenantId);
  const key = fromCursor('list-events', input.cursor, ['bigint', 'bigint']) as readonly bigint[] | undefined;
  const [at = 0n, id = 0n] = key ?? [];
  const [{ entries, next }, operators, applications] = await Promise.all([
    lists.listAuditEvents({
      filters: { ...filtersOf(input), ...ofOwnChange(input, signedIn.operator) },
      after: key && { at, id },
      limit: pageSize(input.limit),
    }),
    database.operators.list(),
    database.applications.listApplications(),
  ]);
  const names: Names = {
    application: new Map(applications.map(({ appId, name }) => [appId, name])),
    operator: namesOf(operators),
    user: await nameAuditedUsers(entries, lists),
  };
  return {
    events: entries.map((entry) => present(entry, names)),
    operators: operators
      .filter(({ allTenants, tenantIds }) => allTenants || tenantIds.includes(tenantId))
      .map(({ id: operatorId, username }) => ({ id: operatorId, username })),
    next_cursor: toCursor('list-events', next && [next.at, next.id]),
  };
};

interface Names {
  readonly application: ReadonlyMap<string, string>;
  readonly operator: ReadonlyMap<string, string>;
  readonly user: AuditedUsers;
}

function namesOf(operators: readonly OperatorRecord[]): Map<string, string> {
  return new Map(operators.map(({ id, username }) => [String(id), username]));
}

function filtersOf(input: ConsoleInput<ConsoleOperations['listEvents']>): AuditFilters {
  const { user_id, store_code, app_id, operator_id, operation, since, until } = input;
  return {
    ...(user_id !== undefined && { userId: user_id }),
    ...(store_code !== undefined && { mentioned: store_code }),
    ...(app_id !== undefined && { appId: app_id }),
    ...(operator_id !== undefined && { operatorId: operator_id }),
    ...(operation !== undefined && { operation }),
    ...(since !== undefined && { sinceMs: since }),
    ...(until !== undefined && { untilMs: until }),
  };
}

/** The page chooses the ids of its changes, so those of two operators may be the same. */
function ofOwnChange(
  { change_id }: ConsoleInput<ConsoleOperations['listEvents']>,
  { id }: OperatorRecord,
): Pick<AuditFilters, 'operatorId' | 'changeId'> {
  return change_id === undefined ? {} : { operatorId: id, changeId: change_id };
}

function present(entry: AuditEntry, names: Names) {
  const user = names.user.get(entry.userId ?? 0n);
  const colleague = colleagueOf(entry);
  return {
    id: entry.id,
    at: entry.atMs,
    actor: actorOf(entry, names),
    operation: entry.operation,
    user_id: entry.userId ?? 0n,
    ...(user !== undefined && { user }),
    ...(colleague !== undefined && { colleague: presentColleague(colleague, names) }),
    request_id: entry.requestId ?? '',
    changes: entry.changes,
  };
}

function presentColleague(id: bigint, names: Names) {
  const user = names.user.get(id);
  return { user_id: id, ...(user !== undefined && { user }) };
}

function actorOf({ appId, actor }: AuditEntry, names: Omit<Names, 'user'>) {
  if (appId !== undefined) {
    return { kind: 'application', id: appId, name: names.application.get(appId) ?? '' } as const;
  }
  if (actor?.kind === 'operator') {
    return { kind: 'operator', id: actor.id, name: names.operator.get(actor.id) ?? '' } as const;
  }
  return { kind: 'command', id: '', name: nameOfCommand(actor) } as const;
}

function nameOfCommand(actor: CommandActor | undefined): string {
  return actor === undefined ? '' : describeCommandActor(actor);
}

export const listDeploymentEvents: ConsoleHandler<ConsoleOperations['listDeploymentEvents']> = async (
  input,
  { parts },
) => {
  const listName = 'list-deployment-events';
  const [before] = (fromCursor(listName, input.cursor, ['bigint']) ?? []) as [bigint?];
  const { operators } = parts.database;
  const [{ entries, next_cursor }, all] = await Promise.all([
    readPage(
      listName,
      input,
      ({ id }: StoredOperatorEvent) => [id],
      (limit) => operators.listEvents(limit, before),
    ),
    operators.list(),
  ]);
  const names = namesOf(all);
  return { events: entries.map((event) => presentOwn(event, names)), next_cursor };
};

function presentOwn(event: StoredOperatorEvent, names: ReadonlyMap<string, string>) {
  const { id, atMs, operation, requestId = '', changes } = event;
  return {
    id,
    at: BigInt(atMs),
    actor: ownActorOf(event, names),
    operation,
    user_id: 0n,
    request_id: requestId,
    changes,
  };
}

function ownActorOf({ operatorId, actor }: OperatorEvent, names: ReadonlyMap<string, string>) {
  if (operatorId === undefined) return { kind: 'command', id: '', name: nameOfCommand(actor) } as const;
  const id = String(operatorId);
  return { kind: 'operator', id, name: names.get(id) ?? '' } as const;
}
