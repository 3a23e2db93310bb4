import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../queries/schema.ts';
import type { Rows, Session } from '../../queries/session.ts';
import { fillChangeOrder, isChangeOrderKept, switchChangeTriggersOff } from './change-order.ts';
import { relationNames } from './schema-parts.ts';

type Table = keyof Schema;

/** Triggers fill the order of changes, `user_change`, so the schema of the queries does not have it. */
type OwnedTable = Table | 'user_change';

interface Index {
  /** As PostgreSQL writes it: quoted where necessary, and with its schema where another one has the name too. */
  readonly name: string;
  readonly definition: string;
  readonly comment: string | null;
  readonly tablespace: string;
}

interface Constraint {
  /** As PostgreSQL writes it, like the name of an {@link Index}. */
  readonly table: string;
  readonly name: string;
  readonly definition: string;
  readonly comment: string | null;
  /** Whether it is a foreign key to `user`. */
  readonly refersToUsers: boolean;
  /** The tablespace of its index. */
  readonly tablespace: string;
}

/**
 * Drops the foreign keys of tables, and their indexes except those of constraints, in the transaction of the session.
 * Returns a function that creates them again. That is much faster for all rows together, and an index built from all rows
 * is half as large as one that grew. Does nothing for a user who does not own the tables. Leaves an index in place
 * if this user may not use its tablespace, or if an operator has given it what its definition does not contain.
 */
export async function setIndexesAside(
  db: Kysely<Schema>,
  tables: readonly Table[],
): Promise<() => Promise<void>> {
  if (!(await ownsAll(db, tables))) return async () => {};
  const foreignKeys = await constraintsOf(db, tables, 'f');
  const indexes = await indexesOf(db, tables);
  await dropConstraints(db, foreignKeys);
  for (const { name } of indexes) await sql`drop index ${sql.raw(name)}`.execute(db);
  const putOrderBack = await setChangeOrderAside(db, tables);
  return async () => {
    // With the default of 64 MB, large indexes are sorted on disk.
    await sql`set local maintenance_work_mem = '256MB'`.execute(db);
    await putOrderBack();
    for (const { name, definition, comment, tablespace } of indexes) {
      await inTablespace(db, tablespace, () => sql.raw(definition).execute(db));
      await restoreComment(db, sql`index ${sql.raw(name)}`, comment);
    }
    // Without statistics, a foreign key would be checked row by row.
    for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db);
    await addConstraints(db, foreignKeys);
  };
}

/**
 * Empties the order of changes, switches off its triggers and drops its key. Returns a function that fills the whole
 * order at once, and restores both.
 */
async function setChangeOrderAside(
  db: Kysely<Schema>,
  tables: readonly Table[],
): Promise<() => Promise<void>> {
  if (!tables.includes('user') || !(await isChangeOrderKept(db))) return async () => {};
  const keys = (await ownsAll(db, ['user_change'])) ? await constraintsOf(db, ['user_change'], 'p') : [];
  const switchTriggersOn = await switchChangeTriggersOff(db);
  // Without the key, PostgreSQL deletes nothing from a table that a publication covers.
  await sql`delete from user_change`.execute(db);
  await dropConstraints(db, keys);
  return async () => {
    await switchTriggersOn();
    await fillChangeOrder(db);
    await addConstraints(db, keys);
  };
}

async function dropConstraints(db: Kysely<Schema>, constraints: readonly Constraint[]): Promise<void> {
  for (const { table, name } of constraints)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.ref(name)}`.execute(db);
}

async function addConstraints(db: Kysely<Schema>, constraints: readonly Constraint[]): Promise<void> {
  for (const { table, name, definition, comment, refersToUsers, tablespace } of constraints) {
    // The rows of users and of the tables that refer to them lie in the order of their keys. Merging those is twice as
    // fast as a hash of ten million users, which spills to disk. The other referenced tables are small.
    if (refersToUsers) await sql`set local enable_hashjoin = off`.execute(db);
    await inTablespace(db, tablespace, () =>
      sql`alter table ${sql.raw(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db),
    );
    await sql`set local enable_hashjoin to default`.execute(db);
    await restoreComment(db, sql`constraint ${sql.ref(name)} on ${sql.raw(table)}`, comment);
  }
}

/** Restores the comment of an object, which its definition does not contain. */
async function restoreComment(
  db: Kysely<Schema>,
  object: RawBuilder<unknown>,
  comment: string | null,
): Promise<void> {
  if (comment !== null) await sql`comment on ${object} is ${sql.lit(comment)}`.execute(db);
}

/**
 * Creates indexes in the tablespace in which they were. The definitions of indexes and constraints do not name it, so
 * PostgreSQL takes the default.
 */
async function inTablespace(db: Kysely<Schema>, name: string, work: () => Promise<unknown>): Promise<void> {
  await sql`select set_config('default_tablespace', ${name}, true)`.execute(db);
  await work();
  await sql`set local default_tablespace to default`.execute(db);
}

/** The name of the tablespace of an index; empty for that of the database, as in `default_tablespace`. */
const tablespaceOf = (
  oid: 'indexrelid' | 'conindid',
) => sql<string>`coalesce((select spcname::text from pg_class
    join pg_tablespace on pg_tablespace.oid = reltablespace where pg_class.oid = ${sql.ref(oid)}), '')`;

/**
 * Whether this user may create the index again in its tablespace, and the new index would be the same. The tablespace of
 * the database needs no right. The definition of an index does not say that the table is clustered or replicated by it,
 * nor does it contain the statistics targets of its expressions or the extensions on which it depends.
 */
const mayRemake = (oid: 'indexrelid' | 'conindid') => sql<boolean>`(
    select (reltablespace = 0 or has_tablespace_privilege(reltablespace, 'create'))
      and not exists (select from pg_index as own
        where own.indexrelid = pg_class.oid and (indisclustered or indisreplident))
      and not exists (select from pg_attribute where attrelid = pg_class.oid and attstattarget >= 0)
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid
        and deptype = 'x')
    from pg_class where pg_class.oid = ${sql.ref(oid)})`;

async function ownsAll(db: Kysely<Schema>, tables: readonly OwnedTable[]): Promise<boolean> {
  const { rows } = await sql<{ owned: bigint }>`select count(*) as owned from pg_class
    where oid = any(${oids(tables)}) and pg_has_role(relowner, 'usage')`.execute(db);
  return rows[0]?.owned === BigInt(tables.length);
}

async function constraintsOf(
  db: Kysely<Schema>,
  tables: readonly OwnedTable[],
  type: 'f' | 'p',
): Promise<Constraint[]> {
  const { rows } = await sql<Constraint>`select conrelid::regclass::text as "table", conname as name,
      pg_get_constraintdef(oid) as definition, obj_description(oid, 'pg_constraint') as comment,
      confrelid = '"user"'::regclass as "refersToUsers", ${tablespaceOf('conindid')} as tablespace
    from pg_constraint where contype = ${type} and conrelid = any(${oids(tables)})
      and (contype = 'f' or ${mayRemake('conindid')})`.execute(db);
  return rows;
}

async function indexesOf(db: Kysely<Schema>, tables: readonly Table[]): Promise<Index[]> {
  const { rows } =
    await sql<Index>`select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition,
      obj_description(indexrelid, 'pg_class') as comment,
      ${tablespaceOf('indexrelid')} as tablespace
    from pg_index
    where indrelid = any(${oids(tables)})
      and not exists (select from pg_constraint where conindid = indexrelid) and ${mayRemake('indexrelid')}`.execute(
      db,
    );
  return rows;
}

function oids(tables: readonly OwnedTable[]) {
  return sql`array[${sql.join(tables.map((table) => sql`to_regclass(${`"${table}"`})::oid`))}]`;
}

/**
 * Inserts rows with one `COPY` for all pages, so that PostgreSQL stores one page while the next one is read.
 *
 * @throws {TypeError} when the session is not that of a copy
 */
export async function copyPages(
  { copyTexts }: Session,
  table: Table,
  pages: AsyncIterable<Rows>,
): Promise<void> {
  if (copyTexts === undefined) throw new TypeError('only the session of a copy can insert rows with COPY');
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const columns = Object.keys(first.value[0] ?? {});
  // The names come from a backup or another database, either of which somebody may have tampered with.
  const names = columns.map((column) => `"${column.replaceAll('"', '""')}"`).join();
  await copyTexts(`copy "${table}" (${names}) from stdin`, textsOf(first.value, iterator, columns));
}

async function* textsOf(
  first: Rows,
  others: AsyncIterator<Rows>,
  columns: readonly string[],
): AsyncGenerator<string> {
  try {
    for (let page = first; ; ) {
      yield page.map((row) => `${columns.map((column) => toCopyText(row[column])).join('\t')}\n`).join('');
      const next = await others.next();
      if (next.done) return;
      page = next.value;
    }
  } finally {
    await others.return?.();
  }
}

/** Writes a value as in PostgreSQL's text format of `COPY`, where a backslash escapes. */
function toCopyText(value: unknown): string {
  if (value === null) return '\\N';
  // Most cells need no escape.
  if (typeof value === 'bigint' || (typeof value === 'string' && !special.test(value))) return `${value}`;
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
  return String(value).replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character);
}

const special = /[\\\n\r\t]/;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Sets the sequence of each generated key in this release's tables to the highest key that the inserted rows have. */
export async function catchUpGeneratedKeys(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`select relname as "table", attname as "column"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relname = any(${relationNames})
      and attrelid = to_regclass(quote_ident(relname))`.execute(db);
  for (const { table, column } of rows) {
    await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), max(${sql.ref(column)}))
      from ${sql.table(table)}`.execute(db);
  }
}
