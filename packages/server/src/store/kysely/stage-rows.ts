import { sql } from 'kysely';
import { stringifyExactJson } from '../../exact-json.ts';
import { columnTypesOf } from '../migrations/column-types.ts';
import { ImportRowError } from '../store.ts';
import type { ImportedTable } from './imported-tables.ts';
import type { RowColumn, Session } from './session.ts';

const line: RowColumn = { name: 'line', type: 'int64' };

/** Name of the temporary table that holds a file's rows until they are merged. */
export function stagedName(table: ImportedTable): string {
  return `staged_${table.name}`;
}

/** The staged columns, in the order in which rows list their values. */
function stagedColumns(table: ImportedTable): readonly RowColumn[] {
  return [line, table.key, ...table.columns];
}

/** Makes the temporary table: it belongs to the connection and ends with it. */
export async function createStagedTable({ db, engine }: Session, table: ImportedTable): Promise<void> {
  const types = columnTypesOf(engine.name);
  const columns = stagedColumns(table).map(({ name, type }) => sql`${sql.ref(name)} ${types[type]}`);
  await sql`create temporary table ${sql.table(stagedName(table))}
    (${sql.join(columns)}, primary key (line), unique (${sql.ref(table.key.name)}))`.execute(db);
}

/**
 * Adds rows to the temporary table.
 *
 * @param rows each is the line, the key and the other columns; null where the file does not say
 * @throws {ImportRowError} when a key is there already
 */
export async function stageRows(
  session: Session,
  table: ImportedTable,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const columns = stagedColumns(table);
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  const given = session.engine.rowTable(stringifyExactJson(rows), columns);
  const { numAffectedRows } = await sql`insert into ${sql.table(stagedName(table))} (${names})
    select ${names} from ${given} where true on conflict do nothing`.execute(session.db);
  if (numAffectedRows !== BigInt(rows.length)) throw await repeatedKey(session, table, rows);
}

interface Repeated {
  line: bigint;
  first: bigint;
  key: unknown;
}

async function repeatedKey(
  { db, engine }: Session,
  table: ImportedTable,
  rows: readonly (readonly unknown[])[],
): Promise<ImportRowError> {
  const key = table.key.name;
  const given = engine.rowTable(stringifyExactJson(rows), stagedColumns(table));
  const staged = sql.table(stagedName(table));
  const result =
    await sql<Repeated>`select given.line as line, staged.line as first, staged.${sql.ref(key)} as key
    from ${given} join ${staged} as staged on staged.${sql.ref(key)} = given.${sql.ref(key)}
    where staged.line <> given.line order by given.line limit 1`.execute(db);
  const [repeated] = result.rows;
  if (repeated === undefined) throw new TypeError('rows were not staged although no key is repeated');
  return new ImportRowError(
    Number(repeated.line),
    key,
    `${repeated.key} is on line ${repeated.first} already`,
  );
}
