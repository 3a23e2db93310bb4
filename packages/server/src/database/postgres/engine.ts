import { type RawBuilder, sql } from 'kysely';
import { compileOnce } from '../queries/compile-once.ts';
import type { Engine } from '../queries/session.ts';
import { given } from '../queries/targets/given-rows.ts';
import { postgresUserSearch } from './search/user-search.ts';
import { catchUpGeneratedKeys, copyPages, setIndexesAside } from './tables/fill-tables.ts';
import { planForManyRows } from './tables/plan-for-many-rows.ts';

/** Notification channel that announces credential changes to the other processes. */
export const credentialsChannel = 'fieldroster_credentials';

const nextUserId = sql<bigint>`nextval('user_id_seq')`;

const nextUserIds = compileOnce((db, value: { count: bigint }) =>
  db
    .selectFrom(sql`generate_series(1, cast(${value.count} as bigint))`.as('counted'))
    .select(nextUserId.as('id')),
);

const notifyCredentials = compileOnce((db, _values: Record<string, never>) =>
  db.selectNoFrom(sql`pg_notify(${sql.lit(credentialsChannel)}, '')`.as('notified')),
);

/** PostgreSQL allows many concurrent writers, so users' rows are locked. Lists are passed as arrays. */
export const postgresEngine: Engine = {
  name: 'postgres',
  manyRows: 'together',
  takeUserId: async () => undefined,
  insertedUserId: () => nextUserId,
  async takeUserIds(session, count) {
    const rows = await nextUserIds(session, { count: BigInt(count) });
    return rows.map(({ id }) => id);
  },
  // Keys never change, so the foreign key check of a binding need not wait for this lock.
  lockRows: (query) => query.forNoKeyUpdate(),
  lockRowsToRemove: (query) => query.forUpdate(),
  planForManyRows,
  encodeTexts: (texts) => texts,
  textTable: (encoded) =>
    sql<{ code: string }>`(select unnest(cast(${encoded} as text[])) collate "C" as code)`.as('listed'),
  // The limit keeps PostgreSQL from comparing each code with each row while it believes the table to be tiny, as it does
  // during the first batch of a new directory.
  findEachListed: (db, { table, column, find }, encoded) =>
    db
      .selectFrom(
        sql<{
          code: string;
        }>`(select unnest(cast(${encoded} as text[])) collate "C" as code order by code)`.as('listed'),
      )
      .innerJoinLateral(
        find(db.selectFrom(table) as never)
          .where(sql<boolean>`${sql.ref(column)} = listed.code`)
          .limit(1)
          .as('found'),
        (join) => join.onTrue(),
      )
      .selectAll('found'),
  // With a join on the list, a plan made for a short list may read all of the user's stores for each code.
  isListed: (column, encoded) => sql`${sql.ref(column)} = any(cast(${encoded} as text[]))`,
  orderedJson: (column) =>
    sql`coalesce(json_agg(${sql.ref(column)} order by ${sql.ref(column)}), '[]')::text`,
  includesText: (column, text) => sql`strpos(${sql.ref(column)}, ${text}) > 0`,
  // The driver receives bytes as twice as many hexadecimal digits.
  largeText: (column) => sql`${sql.ref(column)}`,
  rowTable(json, columns) {
    const fields = columns.map(({ name, type }, index) => {
      const text = sql`value ->> ${sql.lit(index)}`;
      return type === 'int64'
        ? sql`cast(${text} as bigint) as ${sql.ref(name)}`
        : sql`${text} as ${sql.ref(name)}`;
    });
    return sql<
      Record<string, unknown>
    >`(select ${sql.join(fields)} from json_array_elements(cast(${json} as json)))`.as('given');
  },
  // By the row's place, found by the key's index: with a plain join, PostgreSQL compares each given row with each row of
  // the tenant while it believes the table to be tiny, as it does during the first batch of a new directory.
  isGivenRow(table, tenantId, key) {
    const conditions = key.map((column) => sql`${sql.ref(`found.${column}`)} = ${given(column)}`);
    return sql`${sql.ref(`${table}.ctid`)} = (select found.ctid from ${sql.table(table)} as found
      where found.tenant_id = ${tenantId} and ${sql.join(conditions, sql` and `)})`;
  },
  async refreshStatistics(db, table) {
    await sql`analyze ${sql.table(table)}`.execute(db);
  },
  forEachGiven: <Value>(query: RawBuilder<unknown>, column: string) =>
    sql<{ value: Value }>`lateral (select ${sql.ref(column)} as value from (${query}) as each)`.as('listed'),
  readsGivenInOrder: false,
  search: postgresUserSearch,
  changeOrder: 'user_change',
  purgedThrough: sql<bigint>`purged_through()`,
  async announceCredentials(session) {
    await notifyCredentials(session, {});
  },
  async lastUserId(db) {
    const { rows } = await sql<{ id: bigint }>`
      select case when is_called then last_value else last_value - 1 end as id from user_id_seq`.execute(db);
    return rows[0]?.id ?? 0n;
  },
  async setLastUserId(db, id) {
    await sql`select setval('user_id_seq', ${id + 1n}, false)`.execute(db);
  },
  catchUpGeneratedKeys,
  setIndexesAside,
  insertPages: copyPages,
  // Vacuum frees the space of deleted rows, and later rows overwrite it.
  overwriteDeleted: async () => {},
};
