import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Creates the table of ends that the audit may lack. The sessions belong to the bookkeeping and the audit to the
 * directory, which the embedded engine keeps in two files: no transaction writes to both.
 */
export async function createSessionEndTable(
  db: Kysely<unknown>,
  { int64, text, ...types }: ColumnTypes,
): Promise<void> {
  await types
    .clustered(
      db.schema
        .createTable('session_end')
        .addColumn('request_id', text, (column) => column.primaryKey().notNull())
        .addColumn('operator_id', int64, (column) => column.notNull())
        .addColumn('operation', text, (column) => column.notNull())
        .addColumn('at', int64, (column) => column.notNull()),
    )
    .execute();
}
