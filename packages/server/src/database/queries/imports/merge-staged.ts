import { type RawBuilder, sql } from 'kysely';
import { type ImportCounts, ImportRowError } from '../../database.ts';
import type { Session } from '../session.ts';
import type { ImportedColumn, ImportedTable } from './imported-tables.ts';
import { stagedName } from './stage-rows.ts';

/**
 * Locks the rows that the staged ones update, in the order of their keys. Until the merge commits, no other write changes
 * the values that it completes, or deletes a row that it has counted.
 */
export async function lockExisting(
  { db, engine }: Session,
  tenantId: bigint,
  table: ImportedTable,
): Promise<void> {
  // SQLite lets one transaction write at a time.
  if (engine.name === 'sqlite') return;
  const key = ofTable(table, table.key.name);
  const rows = db
    .selectFrom(table.name)
    .select(sql`${key}`.as('key'))
    .where(sql<boolean>`${ofTable(table, 'tenant_id')} = ${tenantId}`)
    .where(sql<boolean>`${key} in (select ${sql.ref(table.key.name)} from ${sql.table(stagedName(table))})`)
    .orderBy(key);
  // Counts them too, so that the answer has one row.
  await db
    .selectFrom(engine.lockRows(rows).as('locked'))
    .select((eb) => eb.fn.countAll().as('rows'))
    .execute();
}

/**
 * Completes the staged rows with the current values of absent columns: a nightly file must not wipe them.
 *
 * @throws {ImportRowError} when a new row lacks a value that it needs
 */
export async function completeStaged(
  session: Session,
  tenantId: bigint,
  table: ImportedTable,
): Promise<void> {
  const { db } = session;
  const staged = sql.table(stagedName(table));
  const settings = table.columns.map(({ name, whenAbsent = null }) => {
    const current = currentValue(session, tenantId, table, name);
    return sql`${sql.ref(name)} = coalesce(${sql.ref(name)}, (${current}), ${sql.lit(whenAbsent)})`;
  });
  const absent = table.columns.map(({ name }) => sql`${sql.ref(name)} is null`);
  await sql`update ${staged} set ${sql.join(settings)} where ${sql.join(absent, sql` or `)}`.execute(db);
  for (const { name, whenAbsent } of table.columns) {
    if (whenAbsent === undefined) await requireValues(session, table, name);
  }
}

/** Returns a query for a staged row's value in the table. */
function currentValue({ db }: Session, tenantId: bigint, table: ImportedTable, column: string) {
  const key = sql`${sql.table(stagedName(table))}.${sql.ref(table.key.name)}`;
  return db
    .selectFrom(table.name)
    .select(sql`${ofTable(table, column)}`.as('value'))
    .where(
      sql<boolean>`${ofTable(table, 'tenant_id')} = ${tenantId} and ${ofTable(table, table.key.name)} = ${key}`,
    );
}

async function requireValues({ db }: Session, table: ImportedTable, name: string): Promise<void> {
  const { rows } = await sql<{ line: bigint }>`select line from ${sql.table(stagedName(table))}
    where ${sql.ref(name)} is null order by line limit 1`.execute(db);
  if (rows[0] !== undefined) throw new ImportRowError(Number(rows[0].line), name, 'must not be empty');
}

/** Counts the rows whose key is new, and those whose key exists. */
export async function countStaged(
  { db }: Session,
  tenantId: bigint,
  table: ImportedTable,
): Promise<Omit<ImportCounts, 'changed'>> {
  const key = sql.ref(table.key.name);
  const { rows } = await sql<{ total: bigint; existing: bigint }>`
    select count(*) as total, count(${ofTable(table, 'tenant_id')}) as existing
    from ${sql.table(stagedName(table))} as staged left join ${sql.table(table.name)}
    on ${ofTable(table, 'tenant_id')} = ${tenantId} and ${ofTable(table, table.key.name)} = staged.${key}
  `.execute(db);
  const { total = 0n, existing = 0n } = rows[0] ?? {};
  return { inserted: Number(total - existing), updated: Number(existing) };
}

/**
 * Merges the completed rows into a tenant's table: inserts new keys and updates the others.
 *
 * @returns the number of rows inserted or changed
 */
export async function upsertStaged({ db }: Session, tenantId: bigint, table: ImportedTable): Promise<number> {
  const key = sql.ref(table.key.name);
  const names = table.columns.map(({ name }) => sql.ref(name));
  const settings = [
    sql`revision = ${ofTable(table, 'revision')} + 1`,
    ...table.columns.map(({ name }) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`),
  ];
  // Unchanged rows are not written, so importing the same file again costs hardly any disk writes.
  const differing = table.columns.map(
    ({ name }) => sql`${ofTable(table, name)} is distinct from excluded.${sql.ref(name)}`,
  );
  const { numAffectedRows } =
    await sql`insert into ${sql.table(table.name)} (tenant_id, ${key}, ${sql.join(names)})
    select cast(${tenantId} as bigint), ${key}, ${sql.join(table.columns.map((column) => storedValue(column)))}
    from ${sql.table(stagedName(table))} where true order by ${key}
    on conflict (tenant_id, ${key}) do update set ${sql.join(settings)}
    where ${sql.join(differing, sql` or `)}`.execute(db);
  return Number(numAffectedRows);
}

/** Returns the value that a staged one has in the table. */
export function storedValue(
  { name, storedAsNull }: ImportedColumn,
  value: RawBuilder<unknown> = sql.ref(name),
): RawBuilder<unknown> {
  return storedAsNull === undefined ? value : sql`nullif(${value}, ${sql.lit(storedAsNull)})`;
}

function ofTable(table: ImportedTable, column: string): RawBuilder<unknown> {
  return sql.ref(`${table.name}.${column}`);
}
