import type { Kysely } from 'kysely';
import { histogramColumns } from '../../queries/bookkeeping/histogram-columns.ts';
import type { ColumnTypes } from './column-types.ts';

/** Creates the tables of calls and of the last use of secrets. */
export async function createBookkeepingTables(
  db: Kysely<unknown>,
  { int64, text, ...types }: ColumnTypes,
): Promise<void> {
  for (const name of ['call_summary', 'call_hour'])
    await createSummaryTable(db, name, { int64, text, ...types });
  await createFailureTables(db, { int64, text, ...types });
  await types
    .clustered(
      db.schema
        .createTable('secret_use')
        .addColumn('secret_id', int64, (column) => column.primaryKey().notNull())
        .addColumn('last_used_at', int64, (column) => column.notNull()),
    )
    .execute();
}

async function createSummaryTable(
  db: Kysely<unknown>,
  name: string,
  { int64, text, ...types }: ColumnTypes,
): Promise<void> {
  const table = db.schema
    .createTable(name)
    .addColumn('start_at', int64, (column) => column.notNull())
    .addColumn('app_id', text, (column) => column.notNull())
    .addColumn('operation', text, (column) => column.notNull())
    .addColumn('code', int64, (column) => column.notNull())
    .addColumn('calls', int64, (column) => column.notNull())
    .addColumn('total_us', int64, (column) => column.notNull());
  const withHistogram = histogramColumns.reduce(
    (partly, column) => partly.addColumn(column, int64, (each) => each.notNull()),
    table,
  );
  const key = ['start_at', 'app_id', 'operation', 'code'] as const;
  await types.clustered(withHistogram.addPrimaryKeyConstraint(`${name}_pk`, [...key])).execute();
}

async function createFailureTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { int64, text } = types;
  await types
    .clustered(
      db.schema
        .createTable('failed_call')
        .addColumn('request_id', text, (column) => column.primaryKey().notNull())
        .addColumn('at', int64, (column) => column.notNull())
        .addColumn('verified', int64, (column) => column.notNull())
        .addColumn('app_id', text)
        .addColumn('operation', text)
        .addColumn('code', int64, (column) => column.notNull())
        .addColumn('message', text, (column) => column.notNull())
        .addColumn('duration_us', int64, (column) => column.notNull())
        .addColumn('address', text)
        .addColumn('method', text, (column) => column.notNull())
        .addColumn('target', text, (column) => column.notNull())
        .addColumn('cause', text)
        .addColumn('strings_to_sign', text),
    )
    .execute();
  const indexes = [
    ['failed_call_by_time', ['at', 'request_id']],
    ['failed_call_by_caller', ['verified', 'at']],
  ] as const;
  for (const [name, columns] of indexes) {
    await db.schema
      .createIndex(name)
      .on('failed_call')
      .columns([...columns])
      .execute();
  }
  await types
    .clustered(
      db.schema
        .createTable('unkept_failure')
        .addColumn('minute_at', int64, (column) => column.primaryKey().notNull())
        .addColumn('calls', int64, (column) => column.notNull()),
    )
    .execute();
}
