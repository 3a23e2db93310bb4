import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { BindingTarget } from '../../database.ts';
import { compileOnce } from '../compile-once.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';

interface One<Key> extends Record<string, unknown> {
  tenantId: bigint;
  key: Key;
}

interface Some<Key> extends Record<string, unknown> {
  tenantId: bigint;
  after: Key;
  limit: bigint;
}

/** The queries shared by roles, organizations and stores. */
export interface TargetQueries<Key, Target> {
  readonly find: (session: Session, values: One<Key>) => Promise<Target | undefined>;
  readonly lock: (session: Session, values: One<Key>) => Promise<Target | undefined>;
  readonly lockToRemove: (session: Session, values: One<Key>) => Promise<Target | undefined>;
  readonly list: (session: Session, values: Some<Key>) => Promise<Target[]>;
}

/**
 * @param key the key's column, with its table
 * @param select selects the columns of all of a tenant's rows
 */
export function targetQueries<Table extends BindingTarget, Key extends bigint | string, Row, Target>(
  key: `${Table}.${'id' | 'code'}`,
  select: (db: Kysely<Schema>, tenantId: bigint) => SelectQueryBuilder<Schema, Table, Row>,
  toTarget: (row: Row) => Target,
): TargetQueries<Key, Target> {
  const column = sql.ref(key);
  const selectOne = (db: Kysely<Schema>, value: One<Key>) =>
    select(db, value.tenantId).where(sql<boolean>`${column} = ${value.key}`);
  const first =
    (query: (session: Session, values: One<Key>) => Promise<Row[]>) =>
    async (session: Session, values: One<Key>) => {
      const [row] = await query(session, values);
      return row && toTarget(row);
    };
  const list = compileOnce((db, value: Some<Key>) =>
    select(db, value.tenantId)
      .where(sql<boolean>`${column} > ${value.after}`)
      .orderBy(column)
      .limit(sql<bigint>`${value.limit}`),
  );
  return {
    find: first(compileOnce((db, value: One<Key>) => selectOne(db, value))),
    lock: first(compileOnce((db, value: One<Key>, engine) => engine.lockRows(selectOne(db, value)))),
    lockToRemove: first(
      compileOnce((db, value: One<Key>, engine) => engine.lockRowsToRemove(selectOne(db, value))),
    ),
    list: async (session, values) => (await list(session, values)).map(toTarget),
  };
}
