import type { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { counted } from '../../../words/counted.ts';
import { type Faults, faultsCountedMax } from '../../database.ts';
import { migrate } from '../../migrations/migrate.ts';
import { migrations } from '../../migrations/migrations.ts';
import { createSqliteUserSearch, fillSqliteUserSearch } from '../../migrations/steps/sqlite-user-search.ts';
import { faultsOf } from '../../queries/inspection/faults.ts';
import { connect, type SqliteConnection } from '../connections/connection.ts';
import { retryWhileBusy } from '../errors/retry-while-busy.ts';

/** A table, an index or a trigger. */
interface Part {
  readonly type: string;
  readonly name: string;
  /** The table that an index or a trigger belongs to. */
  readonly table: string;
  readonly sql: string;
}

/** How long a repair waits for another process's write, in milliseconds. */
const lockWaitMs = 30_000;

/** The search index, its own tables, and the triggers that keep it up to date. */
const ofSearch = 'user_search';

/** Finds tables, indexes and triggers of this release that are missing, apart from those of the search. */
export async function findMissingParts(connection: DatabaseSync): Promise<Faults> {
  const missing = (await findWrongParts(connection)).filter(({ name }) => !name.startsWith(ofSearch));
  return faultsOf(missing.map(({ type, name }) => `the ${type} ${name}`));
}

/** Finds tables and triggers of the search that are missing or not those of this release. */
export async function findSearchFaults(connection: DatabaseSync): Promise<Faults> {
  const present = new Set(partsOf(connection).map(({ name }) => name));
  const wrong = (await findWrongParts(connection)).filter(({ name }) => name.startsWith(ofSearch));
  return faultsOf(
    wrong.map(({ type, name }) => `the ${type} ${name} is ${present.has(name) ? 'changed' : 'missing'}`),
  );
}

/** Compares the ids in the search index with those of the users. Does not find a text that is out of date. */
export function findSearchDifferences(connection: DatabaseSync): Faults {
  const unlisted = connection
    .prepare(
      `select tenant_id, id from "user" as u where not exists (
        select 1 from user_search_docsize as d where d.id = u.id) limit ${faultsCountedMax}`,
    )
    .all()
    .map(({ tenant_id, id }) => `user ${id} of tenant ${tenant_id} is not listed`);
  const counts = connection
    .prepare(
      'select (select count(*) from user_search_docsize) as listed, (select count(*) from "user") as users',
    )
    .get();
  const absent = Number(counts?.listed) - Number(counts?.users) + unlisted.length;
  return faultsOf(
    unlisted.length === 0 && absent > 0
      ? [`${counted(absent, 'absent user')} ${absent === 1 ? 'is' : 'are'} listed`]
      : unlisted,
  );
}

/**
 * Makes missing indexes again, and the search index with its triggers if anything is wrong with them. Writes wait until
 * that ends. Tables that hold data are not made again, because their rows would be missing. Tables of another release
 * stay as they are.
 *
 * @returns what was made
 */
export async function repairParts(connected: SqliteConnection): Promise<readonly string[]> {
  const { connection } = connected;
  await retryWhileBusy(() => connection.exec('begin immediate'), lockWaitMs);
  try {
    const made = await makeMissingIndexes(connection);
    if (await isSearchWrong(connection)) {
      await rebuildSearch(connected);
      made.push('the index of the user search and its triggers');
    }
    connection.exec('commit');
    return made;
  } catch (error) {
    // On a full disk SQLite has rolled back by itself.
    if (connection.isTransaction) connection.exec('rollback');
    throw error;
  }
}

async function makeMissingIndexes(connection: DatabaseSync): Promise<string[]> {
  const tables = new Set(partsOf(connection).map(({ name }) => name));
  const missing = await findWrongParts(connection);
  const indexes = missing.filter(({ type, table }) => type === 'index' && tables.has(table));
  for (const { sql: text } of indexes) connection.exec(text);
  return indexes.map(({ name }) => `the index ${name}`);
}

async function isSearchWrong(connection: DatabaseSync): Promise<boolean> {
  if (!isOfThisRelease(connection)) return false;
  if ((await findSearchFaults(connection)).count > 0) return true;
  return findSearchDifferences(connection).count > 0;
}

async function rebuildSearch({ connection, session: { db } }: SqliteConnection): Promise<void> {
  for (const { type, name } of partsOf(connection)) {
    if (type === 'trigger' && name.startsWith(ofSearch)) await sql`drop trigger ${sql.ref(name)}`.execute(db);
  }
  await makeIndexRemovable(connection);
  await sql`drop table if exists user_search`.execute(db);
  await createSqliteUserSearch(db as Kysely<unknown>);
  await fillSqliteUserSearch(db as Kysely<unknown>);
}

/** SQLite removes an index only if it can open it, and for that it needs the table of the index's settings. */
async function makeIndexRemovable(connection: DatabaseSync): Promise<void> {
  const settings = 'user_search_config';
  const missing = (await findWrongParts(connection)).find(({ name }) => name === settings);
  if (missing === undefined || !partsOf(connection).some(({ name }) => name === ofSearch)) return;
  connection.enableDefensive(false);
  connection.exec(missing.sql);
  connection.exec(`insert into ${settings} values ('version', 4)`);
  connection.enableDefensive(true);
}

/** Returns parts that are missing, and triggers that are others. Tables of another release count as right. */
async function findWrongParts(connection: DatabaseSync): Promise<readonly Part[]> {
  if (!isOfThisRelease(connection)) return [];
  const present = new Map(partsOf(connection).map((part) => [part.name, part]));
  return (await partsOfRelease()).filter(({ type, name, sql: text }) => {
    const found = present.get(name);
    return found === undefined || (type === 'trigger' && found.sql !== text);
  });
}

/** Reads the migrations without Kysely, which cannot look at tables while that of the search cannot be opened. */
function isOfThisRelease(connection: DatabaseSync): boolean {
  if (!partsOf(connection).some(({ name }) => name === 'kysely_migration')) return false;
  const executed = connection.prepare('select name from kysely_migration order by name').all();
  return executed.map(({ name }) => name).join() === Object.keys(migrations).sort().join();
}

/** Returns the parts that a new database has. Indexes of constraints belong to their tables. */
async function partsOfRelease(): Promise<readonly Part[]> {
  const { connection, session } = connect(':memory:');
  try {
    await migrate(session);
    return partsOf(connection);
  } finally {
    connection.close();
  }
}

function partsOf(connection: DatabaseSync): readonly Part[] {
  const rows = connection
    .prepare('select type, name, tbl_name as "table", sql from sqlite_schema where sql is not null')
    .all();
  return rows as unknown as readonly Part[];
}
