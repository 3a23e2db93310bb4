import type { Kysely } from 'kysely';
import type { Engine } from '../../queries/session.ts';
import { type ColumnTypes, columnTypesOf } from './column-types.ts';

/** Creates the tables of the console's operators. */
export async function operators(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  const types = columnTypesOf(engine);
  await createOperatorTable(db, types);
  await createTenantAccess(db, types);
  await createLinks(db, types);
  if (engine === 'postgres') await createOperatorSessionTable(db, types);
  await createEvents(db, types);
}

async function createOperatorTable(db: Kysely<unknown>, { int64, text, bytes, ...types }: ColumnTypes) {
  await types
    .strict(
      db.schema
        .createTable('operator')
        .addColumn('id', int64, (column) => types.generatedKey(column))
        .addColumn('username', text, (column) => column.notNull().unique())
        .addColumn('password_hash', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('all_tenants', int64, (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('totp_sealed', bytes)
        .addColumn('totp_pending', bytes)
        .addColumn('totp_step', int64, (column) => column.notNull())
        .addColumn('recovery_hashes', text, (column) => column.notNull())
        .addColumn('sessions_from', int64, (column) => column.notNull())
        .addColumn('created_at', int64, (column) => column.notNull()),
    )
    .execute();
}

async function createTenantAccess(db: Kysely<unknown>, { int64, ...types }: ColumnTypes) {
  await types
    .clustered(
      db.schema
        .createTable('operator_tenant')
        .addColumn('operator_id', int64, (column) => column.notNull().references('operator.id'))
        .addColumn('tenant_id', int64, (column) => column.notNull().references('tenant.id'))
        .addPrimaryKeyConstraint('operator_tenant_pk', ['operator_id', 'tenant_id']),
    )
    .execute();
}

async function createLinks(db: Kysely<unknown>, { int64, text, ...types }: ColumnTypes) {
  await types
    .clustered(
      db.schema
        .createTable('operator_link')
        .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
        .addColumn('operator_id', int64, (column) => column.references('operator.id'))
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('all_tenants', int64, (column) => column.notNull())
        .addColumn('tenant_ids', text, (column) => column.notNull())
        .addColumn('expires_at', int64, (column) => column.notNull()),
    )
    .execute();
}

/** Creates the sessions of operators, which belong to the bookkeeping: losing them signs everybody out. */
export async function createOperatorSessionTable(
  db: Kysely<unknown>,
  { int64, text, ...types }: ColumnTypes,
): Promise<void> {
  await types
    .clustered(
      db.schema
        .createTable('operator_session')
        .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
        .addColumn('operator_id', int64, (column) => column.notNull())
        .addColumn('created_at', int64, (column) => column.notNull())
        .addColumn('seen_at', int64, (column) => column.notNull()),
    )
    .execute();
  await db.schema
    .createIndex('operator_session_by_operator')
    .on('operator_session')
    .columns(['operator_id', 'created_at'])
    .execute();
}

/** Changes by operators that concern no tenant. Those of a tenant's data are in its audit trail. */
async function createEvents(db: Kysely<unknown>, { int64, text, ...types }: ColumnTypes) {
  await types
    .strict(
      db.schema
        .createTable('operator_event')
        .addColumn('id', int64, (column) => types.generatedKey(column))
        .addColumn('at', int64, (column) => column.notNull())
        .addColumn('operator_id', int64)
        .addColumn('request_id', text)
        .addColumn('operation', text, (column) => column.notNull())
        .addColumn('changes', text, (column) => column.notNull()),
    )
    .execute();
  await db.schema.createIndex('operator_event_by_time').on('operator_event').columns(['at', 'id']).execute();
}
