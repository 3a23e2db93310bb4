import type { Numbered } from '../../database/database.ts';
import { ImportFault } from './import-fault.ts';
import type { ReadValue } from './import-values.ts';

/** A row of a list, with a value for each column; of the first row, the names of the columns. */
export interface ListRecord {
  /** Number of the line on which it begins, from 1. */
  readonly line: number;
  /** Texts; in place of one that the reader of the file refuses, what is wrong with it. */
  readonly fields: readonly (string | ImportFault)[];
}

/** A column of a list: its name, and the field of the row that takes its values. */
export interface ImportColumn<Row> {
  readonly name: string;
  readonly field: keyof Row;
  readonly required: boolean;
  /** Whether it identifies the row. An empty value of any other column may keep what is there. */
  readonly isKey?: true;
  readonly read: ReadValue<unknown>;
}

/**
 * Reads the rows of a list whose first record names the columns, in any order.
 *
 * @param clearEmpty whether an empty value is read as one that clears; otherwise the row has no such field
 * @throws {ImportFault} for the first line that cannot be read
 */
export async function* readImportRows<Row>(
  recordGroups: AsyncIterable<readonly ListRecord[]>,
  columns: readonly ImportColumn<Row>[],
  clearEmpty: boolean,
): AsyncIterable<Numbered<Row>[]> {
  let order: readonly ImportColumn<Row>[] | undefined;
  for await (const records of recordGroups) {
    const [header] = records;
    if (header === undefined) continue;
    const rows = order === undefined ? records.slice(1) : records;
    const known = order ?? readHeader(header, columns);
    order = known;
    yield rows.map((record) => readRow(record, known, clearEmpty));
  }
  if (order === undefined) throw new ImportFault(`is empty; its first line must be: ${namesOf(columns)}`);
}

function readHeader<Row>(header: ListRecord, columns: readonly ImportColumn<Row>[]): ImportColumn<Row>[] {
  const { line, fields } = header;
  const order = fields.map((name) => {
    if (name instanceof ImportFault) throw name;
    const column = columns.find((candidate) => candidate.name === name);
    if (column === undefined)
      throw new ImportFault(`is unknown; the columns are ${namesOf(columns)}`, line, name);
    return column;
  });
  for (const column of columns) {
    const { length } = order.filter((candidate) => candidate === column);
    if (length > 1) throw new ImportFault('is in the header twice; remove one', line, column.name);
    if (length === 0 && column.required)
      throw new ImportFault('is missing from the header', line, column.name);
  }
  return order;
}

function namesOf<Row>(columns: readonly ImportColumn<Row>[]): string {
  return columns.map(({ name }) => name).join(',');
}

function readRow<Row>(
  { line, fields }: ListRecord,
  columns: readonly ImportColumn<Row>[],
  clearEmpty: boolean,
): Numbered<Row> {
  const row: Record<PropertyKey, unknown> = { line };
  let faults: ImportFault[] | undefined;
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index] as ImportColumn<Row>;
    const value = fields[index] as string | ImportFault;
    if (value === '' && !clearEmpty && column.isKey !== true) continue;
    const read = value instanceof ImportFault ? value : readField(column, value, line);
    if (read instanceof ImportFault) faults = [...(faults ?? []), read];
    else row[column.field] = read;
  }
  if (faults !== undefined) throw oneFault(faults, line);
  return row as Numbered<Row>;
}

/** Makes one fault of all those of a row, so that they can be corrected together. */
function oneFault(faults: readonly ImportFault[], line: number): ImportFault {
  const [only] = faults;
  if (only !== undefined && faults.length === 1) return only;
  const said = faults.map(({ column, message }, index) => `(${index + 1}) column ${column}: ${message}`);
  return new ImportFault(said.join('; '), line);
}

/** Returns a fault for a value that the column refuses. */
function readField<Row>(column: ImportColumn<Row>, value: string, line: number): unknown {
  try {
    return column.read(value);
  } catch (error) {
    if (error instanceof ImportFault) return new ImportFault(error.message, line, column.name);
    throw error;
  }
}
