import { type Kysely, sql } from 'kysely';
import type { Engine } from '../../queries/session.ts';
import { columnTypesOf } from './column-types.ts';

/** Creates the tables of the backup schedule and of erased users. */
export async function addBackupTables(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  const { int64, text, ...types } = columnTypesOf(engine);
  await types
    .clustered(
      db.schema
        .createTable('backup_state')
        .addColumn('name', text, (column) => column.primaryKey().notNull())
        .addColumn('holder', text, (column) => column.notNull())
        .addColumn('lease_until', int64, (column) => column.notNull())
        .addColumn('tried_at', int64, (column) => column.notNull())
        .addColumn('good_at', int64)
        .addColumn('good_file', text, (column) => column.notNull())
        .addColumn('good_bytes', int64, (column) => column.notNull()),
    )
    .execute();
  await sql`insert into backup_state (name, holder, lease_until, tried_at, good_at, good_file, good_bytes)
    values ('schedule', '', 0, 0, null, '', 0)`.execute(db);
  await types
    .clustered(
      db.schema
        .createTable('erasure')
        .addColumn('tenant_id', int64, (column) => column.notNull())
        .addColumn('user_id', int64, (column) => column.notNull())
        .addColumn('username_hash', text, (column) => column.notNull())
        .addColumn('at', int64, (column) => column.notNull())
        .addPrimaryKeyConstraint('erasure_pk', ['tenant_id', 'user_id']),
    )
    .execute();
}
