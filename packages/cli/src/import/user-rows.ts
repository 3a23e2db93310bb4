import {
  FileFault,
  type HiddenInSheet,
  NamesInFile,
  type ResolvedNames,
  type SourceRow,
  type UserRow,
  UserRows,
  type ValueRules,
} from '@fieldroster/tables';
import { ColumnMap, type Mappings } from './column-map.ts';
import { isTable, readRows, type SourceFile } from './read-rows.ts';

/** A file to import, and how its rows become users. */
export interface ImportSource extends SourceFile, Omit<ValueRules, 'mayBeGuarded' | 'names'> {
  readonly mappings: Mappings;
  readonly ignoreUnknown: boolean;
}

/**
 * Reads the users of a file in pieces.
 *
 * @throws {FileFault} for a file that cannot be imported
 */
export async function* readUserRows(
  source: ImportSource,
  names: ResolvedNames | undefined,
): AsyncIterable<UserRow[]> {
  // JSON distinguishes an empty string from an omitted field; a table cannot.
  const table = isTable(source.path);
  const rules = { ...source, clearEmpty: source.clearEmpty || !table, mayBeGuarded: table, names };
  const users = new UserRows(rules);
  for await (const { rows, columns } of readMappedRows(source)) {
    yield rows.map((row) => users.next(row, columns.fieldsOf(row.names, row.line)));
  }
}

/** The facts about a file that an import needs before it sends anything. */
export interface FileSurvey {
  readonly rows: number;
  readonly names: NamesInFile;
  /** The columns of an export that no import sets. */
  readonly leftOut: readonly string[];
  /** The rows that the sheet of a workbook hides. */
  readonly hidden: HiddenInSheet | undefined;
}

/**
 * Reads a file without sending anything, so that a fault at its end is found before its beginning is imported.
 *
 * @throws {FileFault}
 */
export async function surveyUserRows(source: ImportSource): Promise<FileSurvey> {
  const names = new NamesInFile({ mayBeGuarded: isTable(source.path) });
  let count = 0;
  let leftOut: ReadonlySet<string> = new Set();
  let hidden: HiddenInSheet | undefined;
  for await (const { rows, columns, header } of readMappedRows(source)) {
    leftOut = columns.leftOut;
    hidden = header?.hidden;
    for (const row of rows) names.add(row, columns.fieldsOf(row.names, row.line));
    count += rows.length;
  }
  return { rows: count, names, leftOut: [...leftOut], hidden };
}

async function* readMappedRows(source: ImportSource) {
  const columns = new ColumnMap(source.mappings, source.ignoreUnknown);
  const hasHeader = isTable(source.path);
  let header: SourceRow | undefined;
  for await (const rows of readRows(source)) {
    if (hasHeader && header === undefined && rows.length > 0) {
      header = rows.shift() as SourceRow;
      columns.requireHeader(header.names, header.line);
    }
    yield { rows, columns, header };
  }
  if (hasHeader && header === undefined)
    throw new FileFault('is empty; its first line must name the columns');
}
