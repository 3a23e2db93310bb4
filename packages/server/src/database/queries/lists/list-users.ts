import { setImmediate as nextIteration } from 'node:timers/promises';
import type {
  BoundedCount,
  ListedUser,
  ListPosition,
  Page,
  UserFilters,
  UserListRequest,
} from '../../database.ts';
import type { Session } from '../session.ts';
import type { CandidateSource } from './candidate-source.ts';
import { fetchUsers } from './fetch-users.ts';
import {
  chunkMaxDefault,
  type PagePlan,
  type PagePositions,
  scannedMaxDefault,
  scanPage,
} from './scan-page.ts';
import { searchedCharactersMax } from './search-pattern.ts';
import { type ReadFilters, userFilter } from './user-filter.ts';
import {
  disabledUsers,
  everyUser,
  usersBoundTo,
  usersByChange,
  usersOfDepartment,
  usersWithout,
} from './user-sources.ts';
import { listOrgsBelow, usersOfOrgs } from './users-of-orgs.ts';

/**
 * Lists a page of users. One filter, the source, yields users through its index in list order; the remaining filters
 * are checked for each user.
 */
export async function listUsers(
  session: Session,
  tenantId: bigint,
  request: UserListRequest,
): Promise<Page<ListedUser>> {
  const filters = await resolveFilters(session, tenantId, request.filters);
  const { positions, next } = await readPositions(session, tenantId, { ...request, filters });
  const ids = positions.map(({ id }) => id);
  const { chunkMax } = boundsOf(session, filters);
  const entries = await fetchUsers(session, tenantId, { ids, filters, chunkMax });
  return { entries, ...(next !== undefined && { next }) };
}

/** Positions per read, and reads per count: 10,000 users, or 100,000 rows that do not match. */
const countedAtOnce = 2_000;
const readsPerCount = 5;

/** Counts the users that match, a few thousand at a time, so that other requests are served in between. */
export async function countListed(
  session: Session,
  tenantId: bigint,
  filters: UserFilters,
): Promise<BoundedCount> {
  const resolved = await resolveFilters(session, tenantId, filters);
  let count = 0;
  let after: ListPosition | undefined;
  for (let read = 0; read < readsPerCount; read++) {
    const request = { filters: resolved, order: 'id', after, limit: countedAtOnce } as const;
    const { positions, next } = await readPositions(session, tenantId, request);
    count += positions.length;
    if (next === undefined) return { count, isMore: false };
    after = next;
    await nextIteration();
  }
  return { count, isMore: true };
}

interface Choice {
  readonly source: CandidateSource;
  /** The filters that the source does not apply. */
  readonly rest: ReadFilters;
}

/** A set of this size is scanned directly, because the search index cannot be combined with its filter. */
const fewUsers = 2_000;

type PositionRequest = Omit<UserListRequest, 'filters'> & { readonly filters: ReadFilters };

async function readPositions(
  session: Session,
  tenantId: bigint,
  { filters, order, ...page }: PositionRequest,
): Promise<PagePositions> {
  const read = ({ source, rest }: Choice, bounds?: ScanBounds) =>
    scanPage(session, {
      ...page,
      source,
      filter: userFilter(session, tenantId, rest),
      ...boundsOf(session, rest, bounds),
    });
  if (order === 'change') {
    const { updatedSinceMs, ...rest } = filters;
    return read({ source: usersByChange(session, tenantId, filters), rest });
  }
  const bound = boundChoice(session, tenantId, filters);
  const { search } = filters;
  const found =
    search === undefined ? undefined : await session.engine.search.source(session, tenantId, search);
  if (found === undefined) return read(bound ?? { source: everyUser(tenantId), rest: filters });
  if (bound !== undefined) {
    const positions = await read(bound, { scannedMax: fewUsers });
    if (positions.next === undefined || positions.positions.length === page.limit) return positions;
  }
  // The search index bounds the time of a statement itself, and ends the page once several have taken long.
  return read({ source: found, rest: filters }, { chunkMax: scannedMaxDefault });
}

type ScanBounds = Pick<PagePlan, 'scannedMax' | 'chunkMax'>;

/** Statements of one page that search as many users as one statement may. */
const searchesPerPage = 50;

/** Returns how many users one statement and one page may examine. */
function boundsOf(
  { engine }: Session,
  { withinOrg, search }: ReadFilters,
  { chunkMax = chunkMaxDefault, scannedMax = scannedMaxDefault }: ScanBounds = {},
): ScanBounds {
  const walked = withinOrg === undefined ? chunkMax : walkedAtOnce;
  if (search === undefined) return { chunkMax: walked, scannedMax };
  const searched = engine.search.rowsAtOnce?.(search, searchedCharactersMax) ?? Number.POSITIVE_INFINITY;
  return {
    chunkMax: Math.min(walked, searched),
    scannedMax: Math.min(scannedMax, searched * searchesPerPage),
  };
}

async function resolveFilters(
  session: Session,
  tenantId: bigint,
  { org, ...others }: UserFilters,
): Promise<ReadFilters> {
  return { ...others, ...(org !== undefined && (await orgFilter(session, tenantId, org))) };
}

async function orgFilter(
  session: Session,
  tenantId: bigint,
  { id, includeChildren }: { readonly id: bigint; readonly includeChildren: boolean },
): Promise<Pick<ReadFilters, 'orgIds' | 'withinOrg'>> {
  if (!includeChildren) return { orgIds: [id] };
  const orgIds = await listOrgsBelow(session, tenantId, { orgId: id, most: mergedOrgsMax + 1 });
  return orgIds.length > mergedOrgsMax ? { withinOrg: id } : { orgIds };
}

/** Users whose organizations are walked up in one statement. */
const walkedAtOnce = 1_000;

/** Above this number of organizations, membership is checked per user, because each organization costs a look-up. */
const mergedOrgsMax = 2_000;

/** Chooses the source among the filters with an index; the most selective come first. */
function boundChoice(session: Session, tenantId: bigint, filters: ReadFilters): Choice | undefined {
  const { storeCode, status, orgIds = [], roleId, department, unbound } = filters;
  const without = (key: keyof ReadFilters): ReadFilters => ({ ...filters, [key]: undefined });
  const bound = (target: Parameters<typeof usersBoundTo>[1], key: bigint | string) =>
    usersBoundTo(tenantId, target, key);
  if (storeCode !== undefined) return { source: bound('store_code', storeCode), rest: without('storeCode') };
  if (status === 'disabled') return { source: disabledUsers(tenantId), rest: without('status') };
  const [orgId] = orgIds;
  if (orgId !== undefined) {
    const one = orgIds.length === 1;
    const source = one ? bound('org_id', orgId) : usersOfOrgs(session, tenantId, orgIds);
    return { source, rest: without('orgIds') };
  }
  if (roleId !== undefined) return { source: bound('role_id', roleId), rest: without('roleId') };
  if (department !== undefined) {
    return { source: usersOfDepartment(tenantId, department), rest: without('department') };
  }
  if (unbound !== undefined) return { source: usersWithout(tenantId, unbound), rest: without('unbound') };
  return undefined;
}
