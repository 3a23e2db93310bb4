import { FileFault, type SourceRow, type UserRow, UserRows, type ValueRules } from '@fieldroster/tables';
import { ColumnMap, type Mappings } from './column-map.ts';
import { isTable, readRows, type SourceFile } from './read-rows.ts';

/** A file to import, and how its rows become users. */
export interface ImportSource extends SourceFile, Omit<ValueRules, 'mayBeGuarded'> {
  readonly mappings: Mappings;
  readonly ignoreUnknown: boolean;
}

/**
 * Reads the users of a file in pieces.
 *
 * @throws {FileFault} for a file that cannot be imported
 */
export async function* readUserRows(source: ImportSource): AsyncIterable<UserRow[]> {
  // JSON distinguishes an empty string from an omitted field; a table cannot.
  const table = isTable(source.path);
  const rules = { ...source, clearEmpty: source.clearEmpty || !table, mayBeGuarded: table };
  const users = new UserRows(rules);
  for await (const { rows, columns } of readMappedRows(source)) {
    yield rows.map((row) => users.next(row, columns.fieldsOf(row.names, row.line)));
  }
}

/**
 * Reads a file without sending anything, so that a fault at its end is found before its beginning is imported.
 *
 * @throws {FileFault}
 */
export async function countUserRows(source: ImportSource): Promise<number> {
  let count = 0;
  for await (const { rows, columns } of readMappedRows(source)) {
    for (const { names, line } of rows) columns.fieldsOf(names, line);
    count += rows.length;
  }
  return count;
}

async function* readMappedRows(source: ImportSource) {
  const columns = new ColumnMap(source.mappings, source.ignoreUnknown);
  let first = isTable(source.path);
  for await (const rows of readRows(source)) {
    if (first && rows.length > 0) {
      const header = rows.shift() as SourceRow;
      columns.requireHeader(header.names, header.line);
      first = false;
    }
    yield { rows, columns };
  }
  if (first) throw new FileFault('is empty; its first line must name the columns');
}
