import { type Kysely, sql } from 'kysely';
import type { Engine } from '../../queries/session.ts';
import { type ColumnTypes, columnTypesOf } from './column-types.ts';
import { createPostgresUserSearch } from './postgres-user-search.ts';
import { createSqliteUserSearch } from './sqlite-user-search.ts';
import { createPasswordFailureTable, createPurgedThrough, createWriteTables } from './write-tables.ts';

/** Creates the tables of the first release. */
export async function initial(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  const types = columnTypesOf(engine);
  await createDeploymentTables(db, types);
  await createDirectoryTables(db, types);
  await createBindingTables(db, types);
  await createWriteTables(db, types);
  await createPasswordFailureTable(db, types);
  await createListIndexes(db);
  await (engine === 'sqlite' ? createSqliteUserSearch(db) : createPostgresUserSearch(db));
  if (engine === 'postgres') {
    await sql`create sequence user_id_seq as bigint`.execute(db);
    await keepTenantsOutOfStatistics(db);
    await createPurgedThrough(db);
  }
  await sql`insert into counter (name, value)
    values ('credentials', 0), ('user_id', 0), ('purged_through', 0)`.execute(db);
}

async function createDeploymentTables(db: Kysely<unknown>, { int64, text, bytes, ...types }: ColumnTypes) {
  await types
    .strict(
      db.schema
        .createTable('tenant')
        .addColumn('id', int64, (column) => types.generatedKey(column))
        .addColumn('name', text, (column) => column.notNull().unique())
        .addColumn('created_at', int64, (column) => column.notNull()),
    )
    .execute();
  await types
    .strict(
      db.schema
        .createTable('application')
        .addColumn('app_id', text, (column) => column.primaryKey().notNull())
        .addColumn('tenant_id', int64, (column) => column.notNull().references('tenant.id'))
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('scope', text, (column) => column.notNull())
        .addColumn('created_at', int64, (column) => column.notNull()),
    )
    .execute();
  await types
    .strict(
      db.schema
        .createTable('application_secret')
        .addColumn('id', int64, (column) => types.generatedKey(column))
        .addColumn('app_id', text, (column) => column.notNull().references('application.app_id'))
        .addColumn('sealed', bytes, (column) => column.notNull())
        .addColumn('created_at', int64, (column) => column.notNull())
        .addColumn('expires_at', int64)
        .addColumn('last_used_at', int64),
    )
    .execute();
  await types
    .clustered(
      db.schema
        .createTable('counter')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('value', int64, (column) => column.notNull()),
    )
    .execute();
  await types
    .clustered(
      db.schema
        .createTable('setting')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('value', text, (column) => column.notNull()),
    )
    .execute();
}

async function createDirectoryTables(db: Kysely<unknown>, { int64, text, ...types }: ColumnTypes) {
  await types
    .clustered(
      db.schema
        .createTable('user')
        .addColumn('tenant_id', int64, (column) => column.notNull())
        .addColumn('id', int64, (column) => column.notNull())
        .addColumn('username', text, (column) => column.notNull())
        .addColumn('real_name', text, (column) => column.notNull())
        .addColumn('nickname', text, (column) => column.notNull())
        .addColumn('gender', int64, (column) => column.notNull())
        .addColumn('email', text, (column) => column.notNull())
        .addColumn('phone', text, (column) => column.notNull())
        .addColumn('department', text, (column) => column.notNull())
        .addColumn('avatar', text, (column) => column.notNull())
        .addColumn('unique_code', text, (column) => column.notNull())
        .addColumn('ext_info', text, (column) => column.notNull())
        .addColumn('password_hash', text)
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('without_role', int64, (column) => column.notNull())
        .addColumn('without_org', int64, (column) => column.notNull())
        .addColumn('without_store', int64, (column) => column.notNull())
        .addColumn('revision', int64, (column) => column.notNull())
        .addColumn('created_at', int64, (column) => column.notNull())
        .addColumn('updated_at', int64, (column) => column.notNull())
        .addPrimaryKeyConstraint('user_pk', ['tenant_id', 'id'])
        .addUniqueConstraint('user_username_unique', ['tenant_id', 'username'])
        .addForeignKeyConstraint('user_tenant_fk', ['tenant_id'], 'tenant', ['id']),
    )
    .execute();
  await types
    .clustered(
      db.schema
        .createTable('role')
        .addColumn('tenant_id', int64, (column) => column.notNull())
        .addColumn('id', int64, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('system_id', int64, (column) => column.notNull())
        .addColumn('position', int64, (column) => column.notNull())
        .addColumn('description', text, (column) => column.notNull())
        .addColumn('code', text)
        .addColumn('revision', int64, (column) => column.notNull().defaultTo(1))
        .addPrimaryKeyConstraint('role_pk', ['tenant_id', 'id'])
        .addForeignKeyConstraint('role_tenant_fk', ['tenant_id'], 'tenant', ['id']),
    )
    .execute();
  await types
    .clustered(
      db.schema
        .createTable('org')
        .addColumn('tenant_id', int64, (column) => column.notNull())
        .addColumn('id', int64, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('parent_id', int64)
        .addColumn('revision', int64, (column) => column.notNull().defaultTo(1))
        .addPrimaryKeyConstraint('org_pk', ['tenant_id', 'id'])
        .addForeignKeyConstraint('org_tenant_fk', ['tenant_id'], 'tenant', ['id']),
    )
    .execute();
  await types
    .clustered(
      db.schema
        .createTable('store')
        .addColumn('tenant_id', int64, (column) => column.notNull())
        .addColumn('code', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('address', text, (column) => column.notNull())
        .addColumn('revision', int64, (column) => column.notNull().defaultTo(1))
        .addPrimaryKeyConstraint('store_pk', ['tenant_id', 'code'])
        .addForeignKeyConstraint('store_tenant_fk', ['tenant_id'], 'tenant', ['id']),
    )
    .execute();
}

const withoutConditions = {
  without_role: sql`without_role = 1`,
  without_org: sql`without_org = 1`,
  without_store: sql`without_store = 1`,
};

async function createListIndexes(db: Kysely<unknown>) {
  const indexes = [
    ['user_by_change', 'user', ['tenant_id', 'updated_at', 'id']],
    ['user_by_department', 'user', ['tenant_id', 'department', 'id']],
    ['org_by_parent', 'org', ['tenant_id', 'parent_id', 'id']],
    ['audit_event_by_tenant', 'audit_event', ['tenant_id', 'at', 'id']],
    ['audit_event_by_user', 'audit_event', ['tenant_id', 'user_id', 'at', 'id']],
  ] as const;
  for (const [name, table, columns] of indexes) {
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
  }
  // These indexes are partial: an active user has no entry in the first, nor a bound user in the others.
  const partial = { disabled: sql`status = 'disabled'`, ...withoutConditions };
  for (const [name, condition] of Object.entries(partial)) {
    await sql`create index ${sql.ref(`user_${name}`)} on ${sql.table('user')} (tenant_id, id)
      where ${condition}`.execute(db);
  }
}

/** The primary key enforces "at most one role, at most one organization", so that it can be lifted later. */
async function createBindingTables(db: Kysely<unknown>, { int64, text, ...types }: ColumnTypes) {
  for (const target of ['role', 'org'] as const) {
    await types
      .clustered(
        db.schema
          .createTable(`user_${target}`)
          .addColumn('tenant_id', int64, (column) => column.notNull())
          .addColumn('user_id', int64, (column) => column.notNull())
          .addColumn(`${target}_id`, int64, (column) => column.notNull())
          .addPrimaryKeyConstraint(`user_${target}_pk`, ['tenant_id', 'user_id'])
          .addForeignKeyConstraint(`user_${target}_user_fk`, ['tenant_id', 'user_id'], 'user', [
            'tenant_id',
            'id',
          ])
          .addForeignKeyConstraint(`user_${target}_${target}_fk`, ['tenant_id', `${target}_id`], target, [
            'tenant_id',
            'id',
          ]),
      )
      .execute();
    await db.schema
      .createIndex(`user_${target}_by_${target}`)
      .on(`user_${target}`)
      .columns(['tenant_id', `${target}_id`, 'user_id'])
      .execute();
  }
  await types
    .clustered(
      db.schema
        .createTable('user_store')
        .addColumn('tenant_id', int64, (column) => column.notNull())
        .addColumn('user_id', int64, (column) => column.notNull())
        .addColumn('store_code', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('user_store_pk', ['tenant_id', 'user_id', 'store_code'])
        .addForeignKeyConstraint('user_store_user_fk', ['tenant_id', 'user_id'], 'user', ['tenant_id', 'id'])
        .addForeignKeyConstraint('user_store_store_fk', ['tenant_id', 'store_code'], 'store', [
          'tenant_id',
          'code',
        ]),
    )
    .execute();
  await db.schema
    .createIndex('user_store_by_store')
    .on('user_store')
    .columns(['tenant_id', 'store_code', 'user_id'])
    .execute();
}

/**
 * PostgreSQL assumes that a tenant missing from its statistics has no rows, so every index that begins with the tenant
 * looks as good as the right one. Without statistics it assumes that every tenant is large.
 */
async function keepTenantsOutOfStatistics(db: Kysely<unknown>) {
  const bindings = ['user_role', 'user_org', 'user_store'];
  for (const table of ['user', 'role', 'org', 'store', 'audit_event', ...bindings]) {
    await sql`alter table ${sql.table(table)} alter column tenant_id set statistics 0`.execute(db);
  }
}
