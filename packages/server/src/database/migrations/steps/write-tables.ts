import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Creates the tables for what every write adds to its effect: the claim of its signature, and its audit row. */
export async function createWriteTables(db: Kysely<unknown>, { int64, text, bytes, ...types }: ColumnTypes) {
  // The time comes first, so that new rows are appended and old ones are deleted as one range.
  await types
    .clustered(
      db.schema
        .createTable('accepted_write')
        .addColumn('expires_at_seconds', int64, (column) => column.notNull())
        .addColumn('signature', bytes, (column) => column.notNull())
        .addColumn('request_id', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('accepted_write_pk', ['expires_at_seconds', 'signature']),
    )
    .execute();
  await types
    .clustered(
      db.schema
        .createTable('accepted_nonce')
        .addColumn('app_id', text, (column) => column.notNull())
        .addColumn('nonce', text, (column) => column.notNull())
        .addColumn('expires_at_seconds', int64, (column) => column.notNull())
        .addColumn('request_id', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('accepted_nonce_pk', ['app_id', 'nonce']),
    )
    .execute();
  await db.schema
    .createIndex('accepted_nonce_by_time')
    .on('accepted_nonce')
    .column('expires_at_seconds')
    .execute();
  await types
    .strict(
      db.schema
        .createTable('audit_event')
        .addColumn('id', int64, (column) => types.generatedKey(column))
        .addColumn('tenant_id', int64, (column) => column.notNull().references('tenant.id'))
        .addColumn('at', int64, (column) => column.notNull())
        .addColumn('app_id', text)
        .addColumn('request_id', text)
        .addColumn('operation', text, (column) => column.notNull())
        .addColumn('user_id', int64)
        .addColumn('changes', text, (column) => column.notNull()),
    )
    .execute();
}

/** Creates the table of failed password checks. */
export async function createPasswordFailureTable(
  db: Kysely<unknown>,
  { int64, text, ...types }: ColumnTypes,
) {
  await types
    .clustered(
      db.schema
        .createTable('password_failure')
        .addColumn('subject', text, (column) => column.primaryKey().notNull())
        .addColumn('failures', int64, (column) => column.notNull())
        .addColumn('ends_at', int64, (column) => column.notNull()),
    )
    .execute();
  await db.schema.createIndex('password_failure_by_end').on('password_failure').column('ends_at').execute();
}

/**
 * Creates a function that reads the counter at the time of its call. It must be volatile, so that its statements get a
 * snapshot of their own; a sub-select would read as of the start of the surrounding statement, and miss a purge
 * committed since. Source: "Function Volatility Categories" in PostgreSQL's manual, and the tests of claims.
 */
export async function createPurgedThrough(db: Kysely<unknown>) {
  await sql`create function purged_through() returns bigint language plpgsql volatile as $$
    begin return (select value from counter where name = 'purged_through'); end $$`.execute(db);
}
