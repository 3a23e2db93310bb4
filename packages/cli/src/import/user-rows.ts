import { stringifyExactJson } from '@fieldroster/client';
import { limits } from '@fieldroster/contract/limits';
import { ColumnMap, type Mappings } from './column-map.ts';
import { FileFault } from './file-fault.ts';
import { isTable, readRows, type SourceFile } from './read-rows.ts';
import { readValue, ValueProblem, type ValueRules } from './read-value.ts';
import type { SourceRow } from './source-row.ts';
import type { BatchEntry, UserField } from './user-fields.ts';

/** A file to import, and how its rows become users. */
export interface ImportSource extends SourceFile, Omit<ValueRules, 'mayBeGuarded'> {
  readonly mappings: Mappings;
  readonly ignoreUnknown: boolean;
}

/** A row that says what to do with a user, or why it cannot be sent. */
export interface UserRow {
  readonly line: number;
  /** Empty when the row has no username. */
  readonly username: string;
  readonly entry?: BatchEntry;
  /** Size of the entry as JSON. */
  readonly bytes: number;
  readonly problem?: string;
}

/**
 * Reads the users of a file in pieces.
 *
 * @throws {FileFault} for a file that cannot be imported
 */
export async function* readUserRows(source: ImportSource): AsyncIterable<UserRow[]> {
  const lines = new Map<string, number>();
  // JSON distinguishes an empty text from an omitted field; a table cannot.
  const table = isTable(source.path);
  const rules = { ...source, clearEmpty: source.clearEmpty || !table, mayBeGuarded: table };
  for await (const { rows, columns } of readMappedRows(source)) {
    yield rows.map((row) => refuseRepetition(toUserRow(row, columns, rules), lines));
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

function toUserRow(row: SourceRow, columns: ColumnMap, rules: ValueRules): UserRow {
  const { line, problem } = row;
  if (problem !== undefined) return { line, username: '', bytes: 0, problem };
  const fields = columns.fieldsOf(row.names, line);
  const username = nameOf(row, fields);
  try {
    return { line, ...readEntry(row, fields, rules) };
  } catch (error) {
    if (error instanceof ValueProblem) return { line, username, bytes: 0, problem: error.message };
    throw error;
  }
}

function readEntry(row: SourceRow, fields: readonly (UserField | undefined)[], rules: ValueRules) {
  const sent: Record<string, unknown> = {};
  for (const [index, field] of fields.entries()) {
    const value = field === undefined ? undefined : readValue(field, row.values[index], rules);
    if (field !== undefined && value !== undefined) sent[field] = value;
  }
  const { username } = sent;
  if (typeof username !== 'string' || username === '') throw new ValueProblem('username is missing');
  const bytes = Buffer.byteLength(stringifyExactJson(sent));
  if (bytes > limits.batchBodyBytesMax) {
    throw new ValueProblem(`the row is larger than ${limits.batchBodyBytesMax} bytes`);
  }
  return { username, entry: sent as unknown as BatchEntry, bytes };
}

/** Returns the username for the result file, even from a row with a problem. */
function nameOf({ values }: SourceRow, fields: readonly (UserField | undefined)[]): string {
  const value = values[fields.indexOf('username')];
  return typeof value === 'string' ? value.slice(0, limits.usernameCharactersMax) : '';
}

/** Refuses a repeated username: otherwise the last request to arrive would decide which row wins. */
function refuseRepetition(row: UserRow, lines: Map<string, number>): UserRow {
  if (row.entry === undefined) return row;
  const first = lines.get(row.username);
  if (first === undefined) {
    lines.set(row.username, row.line);
    return row;
  }
  const problem = `the username is already in line ${first}; a user has one row, with all of its stores`;
  return { line: row.line, username: row.username, bytes: 0, problem };
}
