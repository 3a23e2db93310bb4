import { type RawBuilder, sql } from 'kysely';
import type { ImportCounts } from '../../database.ts';
import type { Session } from '../session.ts';
import type { ImportedColumn, ImportedTable } from './imported-tables.ts';
import { stagedName } from './stage-rows.ts';

/** Merges the staged rows into a tenant's table: inserts new keys and updates the others. */
export async function mergeStaged(
  session: Session,
  tenantId: bigint,
  table: ImportedTable,
): Promise<ImportCounts> {
  await fillAbsent(session, tenantId, table);
  const counts = await countStaged(session, tenantId, table);
  await upsertStaged(session, tenantId, table);
  return counts;
}

/** Fills in the current values of columns missing from the file: a nightly file must not wipe them. */
async function fillAbsent({ db }: Session, tenantId: bigint, table: ImportedTable): Promise<void> {
  const optional = table.columns.filter((column) => column.whenAbsent !== undefined);
  const staged = sql.table(stagedName(table));
  const settings = optional.map(
    (column) => sql`${sql.ref(column.name)} = coalesce(${sql.ref(column.name)}, (
      select ${ofTable(table, column.name)} from ${sql.table(table.name)}
      where ${ofTable(table, 'tenant_id')} = ${tenantId}
      and ${ofTable(table, table.key.name)} = ${staged}.${sql.ref(table.key.name)}
    ), ${sql.lit(column.whenAbsent)})`,
  );
  const absent = optional.map((column) => sql`${sql.ref(column.name)} is null`);
  await sql`update ${staged} set ${sql.join(settings)} where ${sql.join(absent, sql` or `)}`.execute(db);
}

async function countStaged({ db }: Session, tenantId: bigint, table: ImportedTable): Promise<ImportCounts> {
  const key = sql.ref(table.key.name);
  const { rows } = await sql<{ total: bigint; existing: bigint }>`
    select count(*) as total, count(${ofTable(table, 'tenant_id')}) as existing
    from ${sql.table(stagedName(table))} as staged left join ${sql.table(table.name)}
    on ${ofTable(table, 'tenant_id')} = ${tenantId} and ${ofTable(table, table.key.name)} = staged.${key}
  `.execute(db);
  const { total = 0n, existing = 0n } = rows[0] ?? {};
  return { inserted: Number(total - existing), updated: Number(existing) };
}

async function upsertStaged({ db }: Session, tenantId: bigint, table: ImportedTable): Promise<void> {
  const key = sql.ref(table.key.name);
  const names = table.columns.map(({ name }) => sql.ref(name));
  const settings = [
    sql`revision = ${ofTable(table, 'revision')} + 1`,
    ...table.columns.map(({ name }) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`),
  ];
  // Unchanged rows are not written, so importing the same file again costs no disk writes.
  const differing = table.columns.map(
    ({ name }) => sql`${ofTable(table, name)} is distinct from excluded.${sql.ref(name)}`,
  );
  await sql`insert into ${sql.table(table.name)} (tenant_id, ${key}, ${sql.join(names)})
    select cast(${tenantId} as bigint), ${key}, ${sql.join(table.columns.map(storedValue))}
    from ${sql.table(stagedName(table))} where true order by ${key}
    on conflict (tenant_id, ${key}) do update set ${sql.join(settings)}
    where ${sql.join(differing, sql` or `)}`.execute(db);
}

function storedValue({ name, storedAsNull }: ImportedColumn): RawBuilder<unknown> {
  return storedAsNull === undefined ? sql.ref(name) : sql`nullif(${sql.ref(name)}, ${sql.lit(storedAsNull)})`;
}

function ofTable(table: ImportedTable, column: string): RawBuilder<unknown> {
  return sql.ref(`${table.name}.${column}`);
}
