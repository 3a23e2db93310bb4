import type { Numbered } from '../../database/database.ts';
import { CsvError } from './csv-error.ts';
import type { CsvRecord } from './csv-records.ts';
import type { ReadValue } from './csv-values.ts';

/** A column of a file: its name in the header, and the field of the row that takes its values. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly field: keyof Row;
  readonly required: boolean;
  /** Whether it identifies the row. An empty value of any other column may keep what is there. */
  readonly isKey?: true;
  readonly read: ReadValue<unknown>;
}

/**
 * Reads the rows of a file whose first record names the columns, in any order.
 *
 * @param clearEmpty whether an empty value is read as one that clears; otherwise the row has no such field
 * @throws {CsvError} for the first line that cannot be read
 */
export async function* readCsvRows<Row>(
  recordGroups: AsyncIterable<CsvRecord[]>,
  columns: readonly CsvColumn<Row>[],
  clearEmpty: boolean,
): AsyncIterable<Numbered<Row>[]> {
  let order: readonly CsvColumn<Row>[] | undefined;
  for await (const records of recordGroups) {
    if (order === undefined) {
      const header = records.shift();
      if (header === undefined) continue;
      order = readHeader(header, columns);
    }
    const known = order;
    yield records.map((record) => readRow(record, known, clearEmpty));
  }
  if (order === undefined) throw new CsvError(`is empty; its first line must be: ${namesOf(columns)}`);
}

function readHeader<Row>(header: CsvRecord, columns: readonly CsvColumn<Row>[]): CsvColumn<Row>[] {
  const { line, fields } = header;
  const order = fields.map((name) => {
    const column = columns.find((candidate) => candidate.name === name);
    if (column === undefined)
      throw new CsvError(`is unknown; the columns are ${namesOf(columns)}${separatorHint(name)}`, line, name);
    return column;
  });
  for (const column of columns) {
    const { length } = order.filter((candidate) => candidate === column);
    if (length > 1) throw new CsvError('is in the header twice; remove one', line, column.name);
    if (length === 0 && column.required) throw new CsvError('is missing from the header', line, column.name);
  }
  return order;
}

/** Some spreadsheet programs save CSV with other separators. */
function separatorHint(name: string): string {
  return /[;\t]/.test(name) ? ', separated by commas: save the file as CSV with commas' : '';
}

function namesOf<Row>(columns: readonly CsvColumn<Row>[]): string {
  return columns.map(({ name }) => name).join(',');
}

function readRow<Row>(
  { line, fields }: CsvRecord,
  columns: readonly CsvColumn<Row>[],
  clearEmpty: boolean,
): Numbered<Row> {
  if (fields.length !== columns.length) throw wrongLength(line, fields.length, columns);
  const row: Record<PropertyKey, unknown> = { line };
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index] as CsvColumn<Row>;
    const value = fields[index] as string;
    if (value === '' && !clearEmpty && column.isKey !== true) continue;
    row[column.field] = readField(column, value, line);
  }
  return row as Numbered<Row>;
}

function readField<Row>(column: CsvColumn<Row>, value: string, line: number): unknown {
  try {
    return column.read(value);
  } catch (error) {
    if (error instanceof CsvError) throw new CsvError(error.message, line, column.name);
    throw error;
  }
}

function wrongLength<Row>(line: number, count: number, columns: readonly CsvColumn<Row>[]): CsvError {
  const name = columns[count]?.name ?? String(columns.length + 1);
  const problem = count < columns.length ? 'is missing' : 'is not in the header';
  return new CsvError(`${problem}: the line has ${count} values, the header ${columns.length}`, line, name);
}
