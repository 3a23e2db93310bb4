import { type RawBuilder, sql } from 'kysely';
import type { BindingTarget, TargetReader, TargetWriter } from '../../database.ts';
import { pickIds } from '../pick-ids.ts';
import type { Session } from '../session.ts';
import { BoundUsers } from '../users/bound-users.ts';
import type { TargetQueries } from './target-queries.ts';

/** Returns read access to a tenant's roles, organizations or stores. */
export function targetReader<Key, Target>(
  session: Session,
  tenantId: bigint,
  queries: TargetQueries<Key, Target>,
  { table, beforeAll }: { readonly table: BindingTarget; readonly beforeAll: Key },
): TargetReader<Key, Target> {
  const users = new BoundUsers<Key>(session, tenantId, table);
  return {
    find: (key) => queries.find(session, { tenantId, key }),
    list: (after = beforeAll, limit) => queries.list(session, { tenantId, after, limit: BigInt(limit) }),
    countUsers: (key, most) => users.count(key, most),
  };
}

const keyColumns = { role: 'id', org: 'id', store: 'code' } as const;

/** Column values as stored in the table. */
export type Columns = Readonly<Record<string, bigint | string | null>>;

export interface TargetChanges<Fields> {
  readonly table: BindingTarget;
  readonly toColumns: (fields: Fields) => Columns;
}

/** Returns the write operations shared by roles, organizations and stores. */
export function targetWriter<Key, Target, Fields>(
  { session, tenantId, nowMs }: Transaction,
  queries: TargetQueries<Key, Target>,
  { table, toColumns }: TargetChanges<Fields>,
): Omit<TargetWriter<Key, Target, Fields>, keyof TargetReader<Key, Target>> {
  const users = new BoundUsers<Key>(session, tenantId, table);
  const keyIs = (key: Key) => sql`tenant_id = ${tenantId} and ${sql.ref(keyColumns[table])} = ${key}`;
  return {
    lock: (key) => queries.lock(session, { tenantId, key }),
    async lockToRemove(key, withUsers) {
      // Lock the users first: a write that binds one locks the user before the target.
      if (withUsers) await users.lock(key);
      return queries.lockToRemove(session, { tenantId, key });
    },
    async update(key, fields) {
      const settings = [...Object.entries(toColumns(fields)).map(setting), sql`revision = revision + 1`];
      await sql`update ${sql.table(table)} set ${sql.join(settings)} where ${keyIs(key)}`.execute(session.db);
    },
    unbindUsers: (key) => users.unbind(key, nowMs),
    async remove(key) {
      await sql`delete from ${sql.table(table)} where ${keyIs(key)}`.execute(session.db);
    },
  };
}

interface NewTarget {
  readonly table: 'role' | 'org';
  /** If absent, a free one is picked. */
  readonly id: bigint | undefined;
  readonly columns: Columns;
}

/** Inserts a role or an organization, picking an id if none is given. Returns `undefined` when the id is taken. */
export async function insertTarget<Target>(
  transaction: Transaction,
  queries: TargetQueries<bigint, Target>,
  { table, id, columns }: NewTarget,
): Promise<Target | undefined> {
  const { session, tenantId } = transaction;
  const row = { ...columns, tenant_id: tenantId, id: id ?? (await freeId(transaction, table)) };
  const names = Object.keys(row).map((name) => sql.ref(name));
  const { rows } = await sql<{ id: bigint }>`
    insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(row))})
    on conflict do nothing returning id`.execute(session.db);
  const [inserted] = rows;
  return inserted && queries.find(session, { tenantId, key: inserted.id });
}

async function freeId({ session, tenantId }: Transaction, table: 'role' | 'org'): Promise<bigint> {
  const [id] = await pickIds(session, [sql`${sql.table(table)} where tenant_id = ${tenantId}`], 1n);
  if (id === undefined) throw new TypeError(`no id of ${table} is free`);
  return id;
}

/** The context of a write. */
export interface Transaction {
  readonly session: Session;
  readonly tenantId: bigint;
  readonly nowMs: number;
}

function setting([column, value]: [string, unknown]): RawBuilder<unknown> {
  return sql`${sql.ref(column)} = ${value}`;
}
