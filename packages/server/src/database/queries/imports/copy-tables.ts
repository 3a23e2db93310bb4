import { setImmediate as nextIteration } from 'node:timers/promises';
import { sql } from 'kysely';
import type { BookkeepingSchema, DirectoryTable } from '../schema.ts';
import type { Session } from '../session.ts';
import { type Row, type Table, TableSummarizer, type TableSummary } from './table-summarizer.ts';

/** Every table of the directory with its key, referenced tables first. */
const keysOfDirectory: Readonly<Record<DirectoryTable, readonly string[]>> = {
  tenant: ['id'],
  application: ['app_id'],
  application_secret: ['id'],
  counter: ['name'],
  setting: ['name'],
  role: ['tenant_id', 'id'],
  org: ['tenant_id', 'id'],
  store: ['tenant_id', 'code'],
  user: ['tenant_id', 'id'],
  user_role: ['tenant_id', 'user_id'],
  user_org: ['tenant_id', 'user_id'],
  user_store: ['tenant_id', 'user_id', 'store_code'],
  accepted_write: ['expires_at_seconds', 'signature'],
  accepted_nonce: ['app_id', 'nonce'],
  operator: ['id'],
  operator_tenant: ['operator_id', 'tenant_id'],
  operator_link: ['token_hash'],
  operator_event: ['id'],
  audit_event: ['id'],
  backup_state: ['name'],
  erasure: ['tenant_id', 'user_id'],
  key_holder: ['process_id'],
};

/** Every table of the bookkeeping with its key. */
const keysOfBookkeeping: Readonly<Record<keyof BookkeepingSchema, readonly string[]>> = {
  password_failure: ['subject'],
  secret_use: ['secret_id'],
  call_summary: ['start_at', 'app_id', 'operation', 'code'],
  call_hour: ['start_at', 'app_id', 'operation', 'code'],
  failed_call: ['request_id'],
  unkept_failure: ['minute_at'],
  operator_session: ['token_hash'],
  session_end: ['request_id'],
  entry_count: ['tenant_id', 'day'],
};

const keysOfTables: Readonly<Record<Table, readonly string[]>> = { ...keysOfDirectory, ...keysOfBookkeeping };

/** Returns the columns of a table's primary key, in its order. */
export function keyOf(table: Table): readonly string[] {
  return keysOfTables[table];
}

const directoryTables = Object.keys(keysOfDirectory) as DirectoryTable[];
const bookkeepingTables = Object.keys(keysOfBookkeeping) as (keyof BookkeepingSchema)[];

/** Every table: those of the directory, referenced ones first, then those of the bookkeeping. */
export const copiedTables: readonly Table[] = [...directoryTables, ...bookkeepingTables];

/** Returns whether a table belongs to the bookkeeping, which the embedded engine keeps in a second file. */
export function isBookkeeping(table: Table): boolean {
  return table in keysOfBookkeeping;
}

const pageRows = 1_000;

/** Tables that are empty in a database on which nothing was done yet. */
const filledTables = ['application', 'user', 'role', 'org', 'store', 'operator', 'erasure'] as const;

/**
 * Returns whether a database holds anything that a copy would mix with or remove. One with the tables of an earlier
 * release lacks some.
 */
export async function holdsDirectory({ db }: Session): Promise<boolean> {
  const present = new Set((await db.introspection.getTables()).map(({ name }) => name));
  for (const table of filledTables.filter((name) => present.has(name))) {
    const rows = await db.selectFrom(table).select(sql`1`.as('one')).limit(1).execute();
    if (rows.length > 0) return true;
  }
  return present.has('tenant') && (await holdsMadeTenants(db));
}

/** Returns whether there are more tenants than the one that the first start makes. */
async function holdsMadeTenants(db: Session['db']): Promise<boolean> {
  const rows = await db.selectFrom('tenant').select('id').limit(2).execute();
  return rows.length > 1;
}

/**
 * Copies every row into a database that holds no directory. Both sessions are inside a transaction; the caller commits.
 *
 * @param onRows called with the number of rows copied so far and the total
 */
export async function copyTables(
  from: Session,
  to: Session,
  onRows: (done: number, total: number) => void,
): Promise<TableSummary[]> {
  const total = await countRows(from);
  let done = 0;
  const summaries = await copyEach(directoryTables, from, to, (rows) => {
    done += rows;
    onRows(done, total);
  });
  await setGeneratedKeys(to, await from.engine.lastUserId(from.db));
  return summaries;
}

/** Copies the tables of the bookkeeping, and replaces what the target has. Sessions and commit as in `copyTables`. */
export function copyBookkeeping(from: Session, to: Session): Promise<TableSummary[]> {
  return copyEach(bookkeepingTables, from, to, () => {});
}

async function copyEach(
  tables: readonly Table[],
  from: Session,
  to: Session,
  onRows: (count: number) => void,
): Promise<TableSummary[]> {
  await emptyTables(to, tables);
  const putIndexesBack = await to.engine.setIndexesAside(to.db, tables);
  const summaries: TableSummary[] = [];
  for (const table of tables) {
    const summarizer = new TableSummarizer(table);
    await insertPages(to, table, summarized(readPages(from, table), summarizer, onRows));
    summaries.push(summarizer.summary());
  }
  await putIndexesBack();
  return summaries;
}

/** Deletes the rows that migrations and first starts leave in a database without a directory. */
export async function emptyTables({ db }: Session, tables: readonly Table[]): Promise<void> {
  for (const table of tables.toReversed()) await db.deleteFrom(table).execute();
}

async function* summarized(
  pages: AsyncIterable<readonly Row[]>,
  summarizer: TableSummarizer,
  onRows: (count: number) => void,
): AsyncGenerator<readonly Row[]> {
  for await (const rows of pages) {
    summarizer.add(rows);
    yield rows;
    onRows(rows.length);
  }
}

/** Inserts pages of rows, such as those of `readPages`. */
export function insertPages(
  session: Session,
  table: Table,
  pages: AsyncIterable<readonly Row[]>,
): Promise<void> {
  return session.engine.insertPages(session, table, pages);
}

/** Makes new ids continue above those that were copied. */
export async function setGeneratedKeys({ db, engine }: Session, lastUserId: bigint): Promise<void> {
  await engine.setLastUserId(db, lastUserId);
  await engine.catchUpGeneratedKeys(db);
}

/** Summarizes every table of the directory, for comparison with what was copied. */
export function summarizeTables(session: Session): Promise<TableSummary[]> {
  return summarizeEach(directoryTables, session);
}

/** Summarizes every table of the bookkeeping. */
export function summarizeBookkeeping(session: Session): Promise<TableSummary[]> {
  return summarizeEach(bookkeepingTables, session);
}

/** Summarizes tables of one session. */
export async function summarizeEach(tables: readonly Table[], session: Session): Promise<TableSummary[]> {
  const summaries: TableSummary[] = [];
  for (const table of tables) {
    const summarizer = new TableSummarizer(table);
    for await (const rows of readPages(session, table)) summarizer.add(rows);
    summaries.push(summarizer.summary());
  }
  return summaries;
}

/** Refreshes the statistics of the filled tables; otherwise plans would assume empty ones for a while. */
export async function refreshAllStatistics({ db, engine }: Session): Promise<void> {
  for (const table of copiedTables) await engine.refreshStatistics(db, table);
}

async function countRows({ db }: Session): Promise<number> {
  let total = 0;
  for (const table of directoryTables) {
    const [row] = await db.selectFrom(table).select(sql<bigint>`count(*)`.as('rows')).execute();
    total += Number(row?.rows ?? 0n);
  }
  return total;
}

/** Reads a table in key order, a thousand rows at a time, one page ahead. */
export async function* readPages(session: Session, table: Table): AsyncGenerator<Row[]> {
  let page = await readPage(session, table);
  while (page.length > 0) {
    const next = readPage(session, table, page.at(-1));
    // The page is awaited only later, and until then Node.js would report a failure as unhandled.
    next.catch(() => {});
    // Lets PostgreSQL have the statement before this page keeps the process busy.
    await nextIteration();
    yield page;
    page = await next;
  }
}

async function readPage({ db }: Session, table: Table, after?: Row): Promise<Row[]> {
  const keys = keyOf(table);
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const start =
    after === undefined ? sql`true` : sql`(${columns}) > (${sql.join(keys.map((key) => after[key]))})`;
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${start}
    order by ${columns} limit ${pageRows}`.execute(db);
  return rows;
}
