import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Creates the table that records each day how much each tenant's directory holds. */
export async function createEntryCountTable(
  db: Kysely<unknown>,
  { int64, ...types }: ColumnTypes,
): Promise<void> {
  await types
    .clustered(
      db.schema
        .createTable('entry_count')
        .addColumn('tenant_id', int64, (column) => column.notNull())
        .addColumn('day', int64, (column) => column.notNull())
        .addColumn('at', int64, (column) => column.notNull())
        .addColumn('users', int64)
        .addColumn('stores', int64)
        .addColumn('bindings', int64)
        .addColumn('applications', int64)
        .addPrimaryKeyConstraint('entry_count_pk', ['tenant_id', 'day']),
    )
    .execute();
}
