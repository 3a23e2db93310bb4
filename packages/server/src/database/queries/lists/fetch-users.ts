import { setImmediate as nextIteration } from 'node:timers/promises';
import { type InferResult, type RawBuilder, sql } from 'kysely';
import type { ListedUser } from '../../database.ts';
import { compileOnce } from '../compile-once.ts';
import { toUserWithBindings } from '../records.ts';
import type { Session } from '../session.ts';
import { tenantToJoin } from '../tenants/tenant-to-join.ts';
import { selectUserWithBindings } from '../users/one-user.ts';
import { encodeIds, idColumns } from './id-rows.ts';
import { chunkMaxDefault } from './scan-page.ts';
import { type ReadFilters, userFilter } from './user-filter.ts';

interface FoundUsers {
  readonly ids: readonly bigint[];
  readonly filters: ReadFilters;
  /** Users whom one statement may read. */
  readonly chunkMax: number | undefined;
}

/**
 * Returns the users in the order of the ids, without those that were deleted, or ceased to match, since the ids were
 * read: the list must not show, say, an active user among the disabled ones.
 */
export async function fetchUsers(
  session: Session,
  tenantId: bigint,
  { ids, filters, chunkMax = chunkMaxDefault }: FoundUsers,
): Promise<ListedUser[]> {
  const users = new Map<bigint, ListedUser>();
  for (let start = 0; start < ids.length; start += chunkMax) {
    if (start > 0) await nextIteration();
    const values = { tenantId, ids: encodeIds(ids.slice(start, start + chunkMax)) };
    for (const row of await selectMatchingUsers(session, values, filters)) {
      const times = { createdAtMs: row.created_at, updatedAtMs: row.updated_at };
      users.set(row.id, { ...toUserWithBindings(row), ...times });
    }
  }
  return ids.flatMap((id) => users.get(id) ?? []);
}

interface ListedIds extends Record<string, unknown> {
  tenantId: bigint;
  ids: string;
}

type ListedRows = InferResult<ReturnType<typeof selectFromUsers>>;

/** A filter that compares with its value. The others choose the statement by theirs. */
type ComparedFilter = Exclude<keyof ReadFilters, 'search' | 'orgIds' | 'unbound'>;

const comparedFilters = Object.keys({
  roleId: true,
  withinOrg: true,
  storeCode: true,
  department: true,
  status: true,
  updatedSinceMs: true,
} satisfies Record<ComparedFilter, true>) as readonly ComparedFilter[];

function selectMatchingUsers(session: Session, values: ListedIds, filters: ReadFilters): Promise<ListedRows> {
  // The statement depends on the text of a search and on the number of organizations.
  if (filters.search !== undefined || filters.orgIds !== undefined) {
    const filter = userFilter(session, values.tenantId, filters);
    return selectListed(session.db, session.engine, values, filter).execute();
  }
  const names = comparedFilters.filter((name) => filters[name] !== undefined);
  const compared = Object.fromEntries(names.map((name) => [name, filters[name]]));
  return plannedFor(names, filters.unbound)(session, { ...values, ...compared });
}

type PlannedQuery = (session: Session, values: ListedIds) => Promise<ListedRows>;

/** One for each set of filters, of which there are few. */
const planned = new Map<string, PlannedQuery>();

/** @param names the filters that compare with one value each */
function plannedFor(names: readonly string[], unbound: ReadFilters['unbound']): PlannedQuery {
  const key = `${names} ${unbound}`;
  const known = planned.get(key);
  if (known !== undefined) return known;
  const query = compileOnce((db, value: ListedIds, engine) => {
    const filters = {
      ...Object.fromEntries(names.map((name) => [name, value[name]])),
      ...(unbound !== undefined && { unbound }),
    };
    return selectListed(db, engine, value, userFilter({ engine }, value.tenantId, filters));
  });
  planned.set(key, query);
  return query;
}

/** @param filter a condition on `scanned.id`; `undefined` selects all listed users */
function selectListed(
  db: Session['db'],
  engine: Session['engine'],
  { tenantId, ids }: ListedIds,
  filter: RawBuilder<unknown> | undefined,
) {
  const listed = sql`select id from ${engine.rowTable(ids, idColumns)}`;
  const matching =
    filter === undefined ? listed : sql`select scanned.id from (${listed}) as scanned where ${filter}`;
  return selectFromUsers(db, tenantId).where(sql<boolean>`${sql.ref('user.id')} in (${matching})`);
}

function selectFromUsers(db: Session['db'], tenantId: bigint) {
  return selectUserWithBindings(db, tenantToJoin('user'))
    .select(['user.created_at', 'user.updated_at'])
    .where('user.tenant_id', '=', tenantId);
}
