import { type RawBuilder, sql } from 'kysely';
import { compileOnce } from '../queries/compile-once.ts';
import { readCounter, setCounter } from '../queries/counters.ts';
import type { Engine, Session } from '../queries/session.ts';
import { given } from '../queries/targets/given-rows.ts';
import { sqliteUserSearch } from './user-search.ts';

const countUsers = compileOnce((db, value: { count: bigint }) =>
  db
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', value.count) }))
    .where('name', '=', 'user_id')
    .returning('value'),
);

const textTable = (encoded: unknown) =>
  sql<{ code: string }>`(select value as code from json_each(${encoded}))`.as('listed');

/** SQLite has one writer at a time, so rows need no locks. Lists are passed as JSON text. */
export const sqliteEngine: Engine = {
  name: 'sqlite',
  manyRows: 'one-by-one',
  takeUserId: (session) => countUp(session, 1n),
  // While the statement is compiled, this is a placeholder.
  insertedUserId: (taken) => taken as bigint,
  async takeUserIds(session, count) {
    const last = await countUp(session, BigInt(count));
    return Array.from({ length: count }, (_, index) => last - BigInt(count - 1 - index));
  },
  lockRows: (query) => query,
  lockRowsToRemove: (query) => query,
  // Every statement here uses a key, however large the table is.
  planForManyRows: async () => {},
  encodeTexts: (texts) => JSON.stringify(texts),
  textTable,
  isListed: (column, encoded) => sql`${sql.ref(column)} in (select value from json_each(${encoded}))`,
  // A cross join keeps its order. Without statistics, SQLite expects ten users in a tenant,
  // so it would rather read all of them than look up a list of codes.
  findEachListed: (db, { table, column, find }, encoded) =>
    find(db.selectFrom(textTable(encoded)).crossJoin(table) as never).where(
      sql<boolean>`${sql.ref(column)} = listed.code`,
    ),
  // As bytes for the same reason as a large text.
  orderedJson: (column) =>
    sql`cast(json_group_array(${sql.ref(column)} order by ${sql.ref(column)}) as blob)`,
  includesText: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  // Ten times as fast as text, which SQLite converts to UTF-16 in one go.
  largeText: (column) => sql`cast(${sql.ref(column)} as blob)`,
  rowTable(json, columns) {
    const fields = columns.map(({ name }, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`);
    return sql<Record<string, unknown>>`(select ${sql.join(fields)} from json_each(${json}))`.as('given');
  },
  isGivenRow(table, tenantId, key) {
    const conditions = key.map((column) => sql`${sql.ref(`${table}.${column}`)} = ${given(column)}`);
    return sql`${sql.ref(`${table}.tenant_id`)} = ${tenantId} and ${sql.join(conditions, sql` and `)}`;
  },
  // Every statement here uses a key, however large the table is.
  refreshStatistics: async () => {},
  forEachGiven: <Value>(query: RawBuilder<unknown>, column: string) =>
    sql<{
      value: Value;
    }>`json_each((select json_group_array(${sql.ref(column)}) from (${query})))`.as('listed'),
  // A function that takes a column of another table is called for one row of it after the other.
  readsGivenInOrder: true,
  search: sqliteUserSearch,
  changeOrder: 'user',
  // With one writer at a time, no purge commits while this transaction is open.
  purgedThrough: sql<bigint>`(select value from counter where name = 'purged_through')`,
  // The other processes poll the counter of changes often, which costs next to nothing here.
  announceCredentials: async () => {},
  lastUserId: (db) => readCounter({ db }, 'user_id'),
  setLastUserId: (db, id) => setCounter({ db }, 'user_id', id),
  // SQLite continues above the largest key that a table ever had.
  catchUpGeneratedKeys: async () => {},
  setIndexesAside: async () => async () => {},
  async insertPages({ db }, table, pages) {
    for await (const rows of pages) {
      await db
        .insertInto(table)
        .values(rows as never)
        .execute();
    }
  },
  async overwriteDeleted(db) {
    await sql`pragma secure_delete = on`.execute(db);
  },
};

async function countUp(session: Session, count: bigint): Promise<bigint> {
  const [row] = await countUsers(session, { count });
  if (row === undefined) throw new TypeError('the counter of user ids is missing');
  return row.value;
}
