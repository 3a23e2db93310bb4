import { type RawBuilder, sql } from 'kysely';
import { stringifyExactJson } from '../../../json/exact-json.ts';
import { ImportRowError } from '../../database.ts';
import { columnTypesOf } from '../../migrations/steps/column-types.ts';
import type { RowColumn, Session } from '../session.ts';
import type { ImportedTable } from './imported-tables.ts';

/** Returns the name of the temporary table that holds a file's rows, ordered by key, until the merge. */
export function stagedName(table: ImportedTable): string {
  return `staged_${table.name}`;
}

type Rows = readonly (readonly unknown[])[];

const received = sql.table('received_row');
const line: RowColumn = { name: 'line', type: 'int64' };

/**
 * Fills the temporary table of rows to merge. Rows are first stored in file order and then copied in key order, because
 * building a large table from an unordered file is slow.
 *
 * @param chunks of rows; each is the line, the key and the other columns, null where the file has no value
 * @throws {ImportRowError} when a key is repeated
 */
export async function stageRows(
  session: Session,
  table: ImportedTable,
  chunks: AsyncIterable<Rows>,
): Promise<void> {
  await createTemporaryTable(session, received, table);
  let total = 0n;
  // Uses one transaction instead of one for each statement. Temporary tables block nobody.
  const inOneTransaction = session.engine.manyRows === 'one-by-one';
  if (inOneTransaction) await sql`begin`.execute(session.db);
  const insert = rowInserter(session, table);
  for await (const rows of chunks) {
    await insert(rows);
    total += BigInt(rows.length);
  }
  const staged = sql.table(stagedName(table));
  await createTemporaryTable(session, staged, table, sql`, unique (${sql.ref(table.key.name)})`);
  if ((await copyInOrder(session, table)) !== total) throw await repeatedKey(session, table);
  if (inOneTransaction) await sql`commit`.execute(session.db);
  await sql`drop table ${received}`.execute(session.db);
}

/** Creates a table that belongs to the connection and ends with it. */
async function createTemporaryTable(
  { db, engine }: Session,
  name: RawBuilder<unknown>,
  table: ImportedTable,
  constraint: RawBuilder<unknown> = sql``,
): Promise<void> {
  const types = columnTypesOf(engine.name);
  const columns = stagedColumns(table).map((column) => sql`${sql.ref(column.name)} ${types[column.type]}`);
  await sql`create temporary table ${name} (${sql.join(columns)}${constraint})`.execute(db);
}

/** Returns the columns in the order of a row's values. */
function stagedColumns(table: ImportedTable): readonly RowColumn[] {
  return [line, table.key, ...table.columns];
}

function columnList(table: ImportedTable): RawBuilder<unknown> {
  return sql.join(stagedColumns(table).map(({ name }) => sql.ref(name)));
}

/** Returns a function that inserts rows in the fastest way of the engine. */
function rowInserter(session: Session, table: ImportedTable): (rows: Rows) => Promise<void> {
  const { db, engine } = session;
  if (engine.manyRows === 'one-by-one') return groupInserter(session, table);
  const names = columnList(table);
  return async (rows) => {
    const given = engine.rowTable(stringifyExactJson(rows), stagedColumns(table));
    await sql`insert into ${received} (${names}) select ${names} from ${given}`.execute(db);
  };
}

/** Rows per statement. They take half the time that they take alone; larger groups gain nothing. */
const groupSize = 32;

function groupInserter({ db, statements }: Session, table: ImportedTable): (rows: Rows) => Promise<void> {
  const marks = sql`(${sql.join(stagedColumns(table).map(() => sql.raw('?')))})`;
  const insertionOf = (count: number) => {
    const values = sql.join(Array.from({ length: count }, () => marks));
    return sql`insert into ${received} (${columnList(table)}) values ${values}`.compile(db).sql;
  };
  const [ofGroup, ofOne] = [insertionOf(groupSize), insertionOf(1)];
  return async (rows) => {
    const groups = Array.from({ length: Math.floor(rows.length / groupSize) }, (_, index) =>
      rows.slice(index * groupSize, (index + 1) * groupSize).flat(),
    );
    await statements.each(ofGroup, groups);
    await statements.each(ofOne, rows.slice(groups.length * groupSize));
  };
}

/** Returns how many rows were copied. Of rows with the same key, only the first is copied. */
async function copyInOrder({ db }: Session, table: ImportedTable): Promise<bigint> {
  const names = columnList(table);
  const { numAffectedRows } = await sql`insert into ${sql.table(stagedName(table))} (${names})
    select ${names} from ${received} where true order by ${sql.ref(table.key.name)}, line
    on conflict do nothing`.execute(db);
  return numAffectedRows ?? 0n;
}

interface Repeated {
  line: bigint;
  first: bigint;
  key: bigint | string;
}

async function repeatedKey({ db }: Session, table: ImportedTable): Promise<ImportRowError> {
  const key = sql.ref(table.key.name);
  const { rows } = await sql<Repeated>`select again.line as line, staged.line as first, staged.${key} as key
    from ${received} as again join ${sql.table(stagedName(table))} as staged on staged.${key} = again.${key}
    where staged.line <> again.line order by again.line limit 1`.execute(db);
  const [repeated] = rows;
  if (repeated === undefined) throw new TypeError('rows were not staged although no key is repeated');
  const message = `${repeated.key} is on line ${repeated.first} already`;
  return new ImportRowError(Number(repeated.line), table.key.name, message);
}
