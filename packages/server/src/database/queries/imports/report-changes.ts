import { sql } from 'kysely';
import type { ImportChange, ReportChanges } from '../../database.ts';
import type { Session } from '../session.ts';
import type { ImportedColumn, ImportedTable } from './imported-tables.ts';
import { storedValue } from './merge-staged.ts';
import { stagedName } from './stage-rows.ts';

const pageRows = 1_000;

/** A staged row beside the current one: `old_` and `new_` values for each column. */
type Pair = Record<string, bigint | string | null> & { line: bigint; key: bigint | string };

/**
 * Reports the staged rows that are new or differ from the directory, in the order of their lines.
 *
 * @returns the number of rows that differ
 */
export async function reportChanges(
  session: Session,
  tenantId: bigint,
  table: ImportedTable,
  report: ReportChanges,
): Promise<number> {
  const staged = sql.table(stagedName(table));
  // Without this index, each page would sort all rows.
  await sql`create unique index staged_line on ${staged} (line)`.execute(session.db);
  let changed = 0;
  let page = await readPage(session, tenantId, table, 0n);
  while (page.length > 0) {
    const changes = page.map((pair) => toChange(pair, table));
    changed += changes.filter(({ outcome }) => outcome === 'updated').length;
    await report(changes);
    page = await readPage(session, tenantId, table, page.at(-1)?.line ?? 0n);
  }
  return changed;
}

async function readPage(
  { db }: Session,
  tenantId: bigint,
  table: ImportedTable,
  afterLine: bigint,
): Promise<readonly Pair[]> {
  const key = table.key.name;
  const values = table.columns.map(({ name }) => {
    return sql`${sql.ref(`current.${name}`)} as ${sql.ref(`old_${name}`)},
      ${sql.ref(`staged.${name}`)} as ${sql.ref(`new_${name}`)}`;
  });
  const differing = table.columns.map(
    (column) =>
      sql`${sql.ref(`current.${column.name}`)} is distinct from
        ${storedValue(column, sql.ref(`staged.${column.name}`))}`,
  );
  const { rows } = await sql<Pair>`select staged.line as line, ${sql.ref(`staged.${key}`)} as key,
      case when current.tenant_id is null then 1 else 0 end as is_new, ${sql.join(values)}
    from ${sql.table(stagedName(table))} as staged left join ${sql.table(table.name)} as current
      on current.tenant_id = ${tenantId} and ${sql.ref(`current.${key}`)} = ${sql.ref(`staged.${key}`)}
    where staged.line > ${afterLine} and (current.tenant_id is null or ${sql.join(differing, sql` or `)})
    order by staged.line limit ${pageRows}`.execute(db);
  return rows;
}

function toChange(pair: Pair, { columns }: ImportedTable): ImportChange {
  const isNew = Number(pair.is_new) === 1;
  const fields = columns.map((column) => ({
    field: column.heading ?? column.name,
    from: isNew ? '' : textOf(pair[`old_${column.name}`], column),
    to: textOf(pair[`new_${column.name}`], column),
    isDefault: pair[`new_${column.name}`] === column.whenAbsent,
  }));
  return {
    line: Number(pair.line),
    key: String(pair.key),
    outcome: isNew ? 'created' : 'updated',
    fields: fields
      .filter(({ from, to, isDefault }) => (isNew ? !isDefault : from !== to))
      .map(({ field, from, to }) => ({ field, from, to })),
  };
}

function textOf(value: bigint | string | null | undefined, { storedAsNull }: ImportedColumn): string {
  return value === null || value === undefined || value === storedAsNull ? '' : String(value);
}
