import { type RawBuilder, sql } from 'kysely';
import type { TargetReader, TargetWriter } from '../store.ts';
import { BoundUsers } from './bound-users.ts';
import type { Session } from './session.ts';
import type { TargetQueries, TargetTable } from './target-queries.ts';

/** A tenant's roles, organizations or stores, for reading. */
export function targetReader<Key, Target>(
  session: Session,
  tenantId: bigint,
  queries: TargetQueries<Key, Target>,
  beforeAll: Key,
): TargetReader<Key, Target> {
  return {
    find: (key) => queries.find(session, { tenantId, key }),
    list: (after = beforeAll, limit) => queries.list(session, { tenantId, after, limit: BigInt(limit) }),
  };
}

const keyColumns = { role: 'id', org: 'id', store: 'code' } as const;

/** The values of columns, as their table stores them. */
export type Columns = Readonly<Record<string, bigint | string | null>>;

export interface TargetChanges<Fields> {
  readonly table: TargetTable;
  readonly toColumns: (fields: Fields) => Columns;
}

/** What a write may do alike to a role, an organization and a store. */
export function targetWriter<Key, Target, Fields>(
  { session, tenantId, nowMs }: Transaction,
  queries: TargetQueries<Key, Target>,
  { table, toColumns }: TargetChanges<Fields>,
): Omit<TargetWriter<Key, Target, Fields>, 'find' | 'list'> {
  const users = new BoundUsers<Key>(session, tenantId, table);
  const keyIs = (key: Key) => sql`tenant_id = ${tenantId} and ${sql.ref(keyColumns[table])} = ${key}`;
  return {
    lock: (key) => queries.lock(session, { tenantId, key }),
    async lockToRemove(key, withUsers) {
      // The users first: a write that binds one locks the user before it comes to the target.
      if (withUsers) await users.lock(key);
      return queries.lockToRemove(session, { tenantId, key });
    },
    async update(key, fields) {
      const settings = [...Object.entries(toColumns(fields)).map(setting), sql`revision = revision + 1`];
      await sql`update ${sql.table(table)} set ${sql.join(settings)} where ${keyIs(key)}`.execute(session.db);
    },
    countUsers: (key) => users.count(key),
    unbindUsers: (key) => users.unbind(key, nowMs),
    async remove(key) {
      await sql`delete from ${sql.table(table)} where ${keyIs(key)}`.execute(session.db);
    },
  };
}

/** What a write works in. */
export interface Transaction {
  readonly session: Session;
  readonly tenantId: bigint;
  readonly nowMs: number;
}

function setting([column, value]: [string, unknown]): RawBuilder<unknown> {
  return sql`${sql.ref(column)} = ${value}`;
}
