import { type RawBuilder, sql } from 'kysely';
import type { UserFilters } from '../../database.ts';
import type { BindingTarget } from '../targets/without-binding.ts';
import type { CandidateSource } from './candidate-source.ts';

/** A place without a moment, for lists that are ordered by id. */
export const noMoment = sql`cast(0 as bigint)`;

/** Every user, by id. */
export function everyUser(tenantId: bigint): CandidateSource {
  return byId(sql.table('user'), sql.ref('id'), sql`tenant_id = ${tenantId}`);
}

/** The users bound to one role, organization or store, by id. */
export function usersBoundTo(
  tenantId: bigint,
  target: 'role_id' | 'org_id' | 'store_code',
  key: bigint | string,
): CandidateSource {
  const condition = sql`tenant_id = ${tenantId} and ${sql.ref(target)} = ${key}`;
  return byId(sql.table(bindingTables[target]), sql.ref('user_id'), condition);
}

const bindingTables = { role_id: 'user_role', org_id: 'user_org', store_code: 'user_store' } as const;

/** The disabled users, by id. Their index holds nobody else, and is found by this very condition. */
export function disabledUsers(tenantId: bigint): CandidateSource {
  return byId(sql.table('user'), sql.ref('id'), sql`tenant_id = ${tenantId} and status = 'disabled'`);
}

/** The users that are bound to nothing of the kind, by id; found as the disabled ones are. */
export function usersWithout(tenantId: bigint, target: BindingTarget): CandidateSource {
  const condition = sql`tenant_id = ${tenantId} and ${sql.ref(`without_${target}`)} = 1`;
  return byId(sql.table('user'), sql.ref('id'), condition);
}

/** The users of a department, by id. */
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

/** The users changed at a moment or later, by that moment. */
export function usersByChange(tenantId: bigint, { updatedSinceMs = 0n }: UserFilters): CandidateSource {
  return {
    async next(after, size) {
      const start =
        after === undefined || after.at < updatedSinceMs
          ? sql`updated_at >= ${updatedSinceMs}`
          : sql`(updated_at, id) > (${after.at}, ${after.id})`;
      return {
        scanned: sql`select updated_at as at, id from ${sql.table('user')}
          where tenant_id = ${tenantId} and ${start} order by updated_at, id limit ${size}`,
      };
    },
  };
}
