import type { Kysely } from 'kysely';
import type { Engine } from '../../queries/session.ts';
import { columnTypesOf } from './column-types.ts';

/** Creates the table in which processes report the master keys that they hold. */
export async function keyHolders(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  const { int64, text, ...types } = columnTypesOf(engine);
  await types
    .clustered(
      db.schema
        .createTable('key_holder')
        .addColumn('process_id', text, (column) => column.primaryKey().notNull())
        .addColumn('host', text, (column) => column.notNull())
        .addColumn('pid', int64, (column) => column.notNull())
        .addColumn('place', text, (column) => column.notNull())
        .addColumn('key_ids', text, (column) => column.notNull())
        .addColumn('seen_at', int64, (column) => column.notNull()),
    )
    .execute();
}
