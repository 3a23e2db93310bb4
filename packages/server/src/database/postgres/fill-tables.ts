import { type Kysely, sql } from 'kysely';
import type { Schema } from '../queries/schema.ts';
import type { Session } from '../queries/session.ts';

type Table = keyof Schema;

interface SetAside {
  /** Quoted where necessary, as PostgreSQL writes it. */
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Drops the foreign keys of tables, and their indexes except those of constraints, in the transaction of the session.
 * Returns a function that makes them again: both are much faster for all rows together, and an index that is built from
 * rows is half as large as one that grew. Does nothing for a user who does not own the tables.
 */
export async function setIndexesAside(
  db: Kysely<Schema>,
  tables: readonly Table[],
): Promise<() => Promise<void>> {
  if (!(await ownsAll(db, tables))) return async () => {};
  const foreignKeys = await foreignKeysOf(db, tables);
  const indexes = await indexesOf(db, tables);
  for (const { table, name } of foreignKeys)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.ref(name)}`.execute(db);
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db);
  return async () => {
    // With the default of 64 MB, large indexes are sorted on disk.
    await sql`set local maintenance_work_mem = '256MB'`.execute(db);
    for (const { definition } of indexes) await sql.raw(definition).execute(db);
    for (const { table, name, definition } of foreignKeys) {
      await sql`alter table ${sql.raw(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
        db,
      );
    }
  };
}

async function ownsAll(db: Kysely<Schema>, tables: readonly Table[]): Promise<boolean> {
  const { rows } = await sql<{ owned: bigint }>`select count(*) as owned from pg_class
    where oid = any(${oids(tables)}) and pg_has_role(relowner, 'usage')`.execute(db);
  return rows[0]?.owned === BigInt(tables.length);
}

async function foreignKeysOf(db: Kysely<Schema>, tables: readonly Table[]): Promise<SetAside[]> {
  const { rows } = await sql<SetAside>`select conrelid::regclass::text as "table", conname as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid = any(${oids(tables)})`.execute(db);
  return rows;
}

async function indexesOf(db: Kysely<Schema>, tables: readonly Table[]): Promise<SetAside[]> {
  const { rows } = await sql<SetAside>`select indrelid::regclass::text as "table", relname as name,
      pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = any(${oids(tables)})
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(db);
  return rows;
}

function oids(tables: readonly Table[]) {
  return sql`array[${sql.join(tables.map((table) => sql`to_regclass(${`"${table}"`})::oid`))}]`;
}

/**
 * Inserts rows with `COPY`.
 *
 * @throws {TypeError} when the session is not that of a copy
 */
export async function copyIn(
  { copyText }: Session,
  table: Table,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  if (copyText === undefined) throw new TypeError('only the session of a copy can insert rows with COPY');
  const columns = Object.keys(first);
  const names = columns.map((column) => `"${column}"`).join();
  const lines = rows.map((row) => `${columns.map((column) => toCopyText(row[column])).join('\t')}\n`);
  await copyText(`copy "${table}" (${names}) from stdin`, lines.join(''));
}

/** Writes a value as in PostgreSQL's text format of `COPY`, where a backslash escapes. */
function toCopyText(value: unknown): string {
  if (value === null) return '\\N';
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
  return String(value).replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Makes every generated key continue above the rows that were inserted with theirs. */
export async function catchUpGeneratedKeys(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`select relname as "table", attname as "column"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and attrelid = to_regclass(quote_ident(relname))`.execute(db);
  for (const { table, column } of rows) {
    await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), max(${sql.ref(column)}))
      from ${sql.table(table)}`.execute(db);
  }
}
