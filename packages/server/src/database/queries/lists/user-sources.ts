import { type RawBuilder, sql } from 'kysely';
import type { BindingTarget, UserFilters } from '../../database.ts';
import type { Session } from '../session.ts';
import type { CandidateSource } from './candidate-source.ts';

/** The `at` of lists ordered by id. */
export const noMoment = sql`cast(0 as bigint)`;

/** Returns every user, by id. */
export function everyUser(tenantId: bigint): CandidateSource {
  return byId(sql.table('user'), sql.ref('id'), sql`tenant_id = ${tenantId}`);
}

/** Returns the users bound to one role, organization or store, by id. */
export function usersBoundTo(
  tenantId: bigint,
  target: 'role_id' | 'org_id' | 'store_code',
  key: bigint | string,
): CandidateSource {
  const condition = sql`tenant_id = ${tenantId} and ${sql.ref(target)} = ${key}`;
  return byId(sql.table(bindingTables[target]), sql.ref('user_id'), condition);
}

const bindingTables = { role_id: 'user_role', org_id: 'user_org', store_code: 'user_store' } as const;

/** Returns the disabled users, by id. The condition matches their partial index, which holds nobody else. */
export function disabledUsers(tenantId: bigint): CandidateSource {
  return byId(sql.table('user'), sql.ref('id'), sql`tenant_id = ${tenantId} and status = 'disabled'`);
}

/** Returns the users without a binding of this kind, by id, through a partial index as for disabled users. */
export function usersWithout(tenantId: bigint, target: BindingTarget): CandidateSource {
  const condition = sql`tenant_id = ${tenantId} and ${sql.ref(`without_${target}`)} = 1`;
  return byId(sql.table('user'), sql.ref('id'), condition);
}

/** Returns the users of a department, by id. */
export function usersOfDepartment(tenantId: bigint, department: string): CandidateSource {
  const condition = sql`tenant_id = ${tenantId} and department = ${department}`;
  return byId(sql.table('user'), sql.ref('id'), condition);
}

function byId(
  table: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): CandidateSource {
  return {
    async next(after, size) {
      const start = after === undefined ? sql`true` : sql`${id} > ${after.id}`;
      return {
        scanned: sql`select ${noMoment} as at, ${id} as id from ${table}
          where ${condition} and ${start} order by ${id} limit ${size}`,
      };
    },
  };
}

/** Returns the users changed at or after a time, by the time of the change. */
export function usersByChange(
  { engine }: Session,
  tenantId: bigint,
  { updatedSinceMs = 0n }: UserFilters,
): CandidateSource {
  return {
    async next(after, size) {
      const start =
        after === undefined || after.at < updatedSinceMs
          ? sql`updated_at >= ${updatedSinceMs}`
          : sql`(updated_at, id) > (${after.at}, ${after.id})`;
      return {
        scanned: sql`select updated_at as at, id from ${sql.table(engine.changeOrder)}
          where tenant_id = ${tenantId} and ${start} order by updated_at, id limit ${size}`,
      };
    },
  };
}
