import { sql } from 'kysely';
import { userFieldList } from '../../user-columns.ts';
import { compileOnce } from '../compile-once.ts';
import { idColumns } from '../lists/id-rows.ts';
import type { Cell } from '../rows-json.ts';
import type { RowColumn } from '../session.ts';
import { type Given, given, int64 } from '../targets/given-rows.ts';
import { withoutBindings } from '../targets/without-binding.ts';
import { changeRows } from '../writes/change-rows.ts';
import { userToChangeColumns } from './one-user.ts';

/** Statements about many users at once. The engine's `rowTable` reads rows passed as one JSON text. */

interface Listed extends Record<string, unknown> {
  tenantId: bigint;
  /** Encoded by the engine. */
  usernames: unknown;
}

/** Locks in username order, so that two batches cannot deadlock. */
export const lockUsersByName = compileOnce((db, value: Listed, engine) =>
  engine.findEachListed(
    db,
    {
      table: 'user',
      column: 'user.username',
      find: (users) => engine.lockRows(users.select('user.id').where('user.tenant_id', '=', value.tenantId)),
    },
    value.usernames,
  ),
);

export const selectUserStates = compileOnce((db, value: Listed, engine) =>
  engine.findEachListed(
    db,
    {
      table: 'user',
      column: 'user.username',
      find: (users) =>
        users
          .leftJoin('user_role', (join) =>
            join
              .onRef('user_role.tenant_id', '=', 'user.tenant_id')
              .onRef('user_role.user_id', '=', 'user.id'),
          )
          .leftJoin('user_org', (join) =>
            join.onRef('user_org.tenant_id', '=', 'user.tenant_id').onRef('user_org.user_id', '=', 'user.id'),
          )
          .select([...userToChangeColumns, 'user_role.role_id', 'user_org.org_id'])
          .where('user.tenant_id', '=', value.tenantId),
    },
    value.usernames,
  ),
);

export const countStoresOfUsers = compileOnce((db, value: Listed & { limit: bigint }, engine) => {
  const ofUser = sql`select 1 from user_store
    where tenant_id = ${value.tenantId} and user_id = ${sql.ref('user.id')} limit ${value.limit}`;
  return engine.findEachListed(
    db,
    {
      table: 'user',
      column: 'user.username',
      find: (users) =>
        users
          .select(['user.username', sql<bigint>`(select count(*) from (${ofUser}) as bound)`.as('stores')])
          .where('user.tenant_id', '=', value.tenantId),
    },
    value.usernames,
  );
});

/** Reads each user's stores by itself; see the engine's `isGivenRow`. The ids must be in order. */
export const selectStoreCodesOfUsers = compileOnce((db, value: Given & { limit: bigint }, engine) => {
  const ofUser = sql`select store_code from user_store
    where tenant_id = ${value.tenantId} and user_id = given.id order by store_code limit ${value.limit}`;
  const query = db
    .selectFrom([engine.rowTable(value.rows, idColumns), engine.forEachGiven<string>(ofUser, 'store_code')])
    .select([given<bigint>('id').as('user_id'), 'listed.value as code'])
    .limit(sql<bigint>`${value.limit}`);
  return engine.readsGivenInOrder ? query : query.orderBy('user_id').orderBy('code');
});

const profileColumns = userFieldList.map(({ column, type }) => ({ name: column, type }));

/** Cells of a row of `updateUsers`, in this order; a row of `insertUsers` begins with them. */
const savedColumns = [
  { name: 'id', type: 'int64' },
  { name: 'username', type: 'text' },
  { name: 'password_hash', type: 'text' },
  ...profileColumns,
] as const satisfies readonly RowColumn[];

const columnsSetByInsert = ['tenant_id', 'status', 'revision', 'created_at', 'updated_at'] as const;

/** Users are bound after they are inserted, but these columns already hold their final values. */
const insertedColumns = [
  ...savedColumns,
  ...(['without_role', 'without_org', 'without_store'] as const).map(
    (name) => ({ name, type: 'int64' }) as const,
  ),
];

/** Returns the users whose names were free. */
export const insertUsers = compileOnce((db, value: Given & { nowMs: bigint }, engine) =>
  db
    .insertInto('user')
    .columns([...columnsSetByInsert, ...insertedColumns.map(({ name }) => name)])
    .expression((eb) =>
      eb
        .selectFrom(engine.rowTable(value.rows, insertedColumns))
        .select([
          int64(value.tenantId).as('tenant_id'),
          sql.lit('active').as('status'),
          sql.lit(1).as('revision'),
          int64(value.nowMs).as('created_at'),
          int64(value.nowMs).as('updated_at'),
        ])
        .select(insertedColumns.map(({ name }) => given(name).as(name)))
        // Without a condition, SQLite would take ON for the start of a join.
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.columns(['tenant_id', 'username']).doNothing())
    .returning(['id', 'username']),
);

/** Each row includes its tenant, so that SQLite looks up the user instead of scanning all rows for every user. */
const updatedColumns = [{ name: 'tenant_id', type: 'int64' }, ...savedColumns] as const;

type UpdatedRow = Record<(typeof updatedColumns)[number]['name'], Cell>;

/**
 * Updates whole rows of users, after their bindings. A null password hash leaves the stored one as it is.
 *
 * One statement changes several rows on SQLite too: its search index writes a segment at the end of each statement that
 * changes it, and merges these segments with larger and larger ones. If no searched field changes, one statement takes half
 * as long again as one for each user.
 */
export const updateUsers = changeRows<{ nowMs: bigint }, UpdatedRow>(updatedColumns, {
  together: compileOnce((db, value: { rows: string; nowMs: bigint }, engine) =>
    db
      .updateTable('user')
      .from(engine.rowTable(value.rows, updatedColumns))
      .set(savedUser(value.nowMs))
      .where(engine.isGivenRow('user', given('tenant_id'), ['id'])),
  ),
});

const touchedColumns = [
  { name: 'tenant_id', type: 'int64' },
  { name: 'id', type: 'int64' },
] as const;

/**
 * Updates users of whom only the bindings changed. SQLite writes every index of a column that a statement sets, changed
 * or not, so this writes less than the whole row.
 */
export const touchUsers = changeRows<{ nowMs: bigint }, { tenant_id: Cell; id: Cell }>(touchedColumns, {
  each: (db, value) =>
    db
      .updateTable('user')
      .set(touchedUser(value.nowMs))
      .where('tenant_id', '=', sql<bigint>`${value.tenant_id}`)
      .where('id', '=', sql<bigint>`${value.id}`),
  together: compileOnce((db, value: { rows: string; nowMs: bigint }, engine) =>
    db
      .updateTable('user')
      .from(engine.rowTable(value.rows, touchedColumns))
      .set(touchedUser(value.nowMs))
      .where(engine.isGivenRow('user', given('tenant_id'), ['id'])),
  ),
});

/** Returns the columns that a row sets. */
function savedUser(nowMs: bigint) {
  return {
    ...Object.fromEntries(profileColumns.map(({ name }) => [name, given(name)])),
    password_hash: sql<string>`coalesce(${given('password_hash')}, ${sql.ref('user.password_hash')})`,
    ...touchedUser(nowMs),
  };
}

/** Returns the columns that every change of a user sets, including changes of its bindings. */
function touchedUser(nowMs: bigint) {
  return {
    ...withoutBindings(),
    revision: sql<bigint>`${sql.ref('user.revision')} + 1`,
    updated_at: nowMs,
  };
}
