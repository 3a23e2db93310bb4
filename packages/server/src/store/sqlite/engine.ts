import { sql } from 'kysely';
import { compileOnce } from '../kysely/compile-once.ts';
import type { Engine } from '../kysely/session.ts';

const countUser = compileOnce((db, _values: Record<string, never>) =>
  db
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', 1n) }))
    .where('name', '=', 'user_id')
    .returning('value'),
);

/** SQLite: one writer at a time, so no row needs a lock; a list travels as a JSON text. */
export const sqliteEngine: Engine = {
  name: 'sqlite',
  async takeUserId(db) {
    const [row] = await countUser({ db, engine: sqliteEngine }, {});
    if (row === undefined) throw new TypeError('the counter of user ids is missing');
    return row.value;
  },
  lockRows: (query) => query,
  encodeCodes: (codes) => JSON.stringify(codes),
  codeTable: (encoded) =>
    sql<{ code: string }>`(select value as code from json_each(${encoded}))`.as('listed'),
  rowTable(json, columns) {
    const fields = columns.map(({ name }, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`);
    return sql<Record<string, unknown>>`(select ${sql.join(fields)} from json_each(${json}))`.as('given');
  },
  // Every statement here goes by a key, whatever the table's size.
  refreshStatistics: async () => {},
  // The other processes look at the counter of changes often, which costs next to nothing here.
  announceCredentials: async () => {},
  async lastUserId(db) {
    const row = await db
      .selectFrom('counter')
      .select('value')
      .where('name', '=', 'user_id')
      .executeTakeFirstOrThrow();
    return row.value;
  },
  async setLastUserId(db, id) {
    await db.updateTable('counter').set({ value: id }).where('name', '=', 'user_id').execute();
  },
  // SQLite counts on above the largest key that a table ever had.
  catchUpGeneratedKeys: async () => {},
};
