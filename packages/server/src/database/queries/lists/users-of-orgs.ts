import { limits } from '@fieldroster/contract';
import { type RawBuilder, sql } from 'kysely';
import type { ListPosition } from '../../database.ts';
import type { Session } from '../session.ts';
import type { CandidateSource, Candidates } from './candidate-source.ts';
import { idRows } from './id-rows.ts';
import { oneRowAtATime } from './scan-page.ts';
import { noMoment } from './user-sources.ts';

/**
 * Returns the ids of an organization and all its descendants, at most `most`. SQLite keeps the order of a cross join;
 * with another one it reads every organization of the tenant for each descendant.
 */
export async function listOrgsBelow(
  { db }: Session,
  tenantId: bigint,
  { orgId, most }: { readonly orgId: bigint; readonly most: number },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`${orgsBelow(tenantId, orgId)} limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Reads an organization and its descendants one after another, no more than are asked for. */
function orgsBelow(tenantId: bigint, orgId: bigint): RawBuilder<unknown> {
  return sql`
    with recursive below (id) as (
      select id from org where tenant_id = ${tenantId} and id = ${orgId}
      union
      select org.id from below cross join org where org.tenant_id = ${tenantId} and org.parent_id = below.id
    )
    select id from below`;
}

/**
 * Returns whether the organization in a column is `orgId` or below it. Walks up the tree, because there may be very many
 * below. The walk ends after as many levels as operations let a tree have. For an organization that lies deeper, the
 * condition reads all those below `orgId` instead, once for the whole statement.
 */
export function isWithinOrg(
  column: RawBuilder<unknown>,
  tenantId: bigint,
  orgId: bigint,
): RawBuilder<unknown> {
  const levels = sql.lit(limits.orgLevelsMax);
  const walk = sql`(
    with recursive above (id, level) as (
      select ${column}, 0
      union all
      select (
        select parent_id from org where org.tenant_id = ${tenantId} and org.id = above.id ${oneRowAtATime}
      ), above.level + 1
      from above where above.id is not null and above.id <> ${orgId} and above.level < ${levels}
    )
    select max(case when id = ${orgId} then 2 when id is not null and level = ${levels} then 1 else 0 end) from above)`;
  return sql`case ${walk} when 2 then true when 1 then ${column} in (${orgsBelow(tenantId, orgId)}) else false end`;
}

/**
 * Returns the users of several organizations, by id. Reads a few from each organization and merges them here, so that
 * the cost depends on the number of organizations and not on the number of their users.
 */
export function usersOfOrgs(session: Session, tenantId: bigint, orgIds: readonly bigint[]): CandidateSource {
  return {
    async next(after, size) {
      const each = Math.max(2, Math.ceil((2 * size) / orgIds.length));
      const members = await firstMembers(session, tenantId, { orgIds, after, each });
      return mergedChunk(session, members, each, size);
    },
  };
}

interface Member {
  readonly org_id: bigint;
  readonly id: bigint;
}

interface MembersToRead {
  readonly orgIds: readonly bigint[];
  readonly after: ListPosition | undefined;
  /** How many members of each organization to read at most. */
  readonly each: number;
}

async function firstMembers(
  { db, engine }: Session,
  tenantId: bigint,
  { orgIds, after, each }: MembersToRead,
): Promise<Member[]> {
  const start = after === undefined ? sql`true` : sql`user_id > ${after.id}`;
  const ofOrg = sql`select user_id from user_org
    where tenant_id = ${tenantId} and org_id = given.id and ${start} order by user_id limit ${each}`;
  const { rows } = await sql<Member>`
    select given.id as org_id, listed.value as id
    from ${idRows(engine, orgIds)} cross join ${engine.forEachGiven(ofOrg, 'user_id')}`.execute(db);
  return rows;
}

/** Merges the members. An organization that may have more members is unknown beyond its last one here. */
function mergedChunk(
  { engine }: Session,
  members: readonly Member[],
  each: number,
  size: number,
): Candidates {
  const end = firstLastOfFull(members, each);
  const ids = members.map(({ id }) => id).filter((id) => end === undefined || id <= end);
  const candidateIds = idRows(engine, ids);
  return {
    scanned: sql`select ${noMoment} as at, id from ${candidateIds} order by id limit ${size}`,
    ...(end !== undefined && { end: { at: 0n, id: end } }),
  };
}

function firstLastOfFull(members: readonly Member[], each: number): bigint | undefined {
  const lists = Map.groupBy(members, ({ org_id }) => org_id);
  let first: bigint | undefined;
  for (const list of lists.values()) {
    if (list.length < each) continue;
    const last = list.reduce((most, { id }) => (id > most ? id : most), list[0]?.id ?? 0n);
    if (first === undefined || last < first) first = last;
  }
  return first;
}
