/** One row of a file, whatever its format. */
export interface SourceRow {
  /** Line on which it begins, from 1; in a spreadsheet, its row. */
  readonly line: number;
  /** Names of the columns, the same array for every row of a table. */
  readonly names: readonly string[];
  /** A value for each name, as the format has it: what a spreadsheet keeps as a number is a {@link SheetNumber}. */
  readonly values: readonly unknown[];
  /** Why nothing can be read from this row, while those after it can. */
  readonly problem?: string;
}

/** A number in a spreadsheet: the digits that its file has. */
export class SheetNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** Names the columns of a table by its first row; blank rows are left out. */
export class TableHeader {
  #names: readonly string[] | undefined;

  /** Returns nothing for the header itself and for a blank row. */
  toRow(line: number, values: readonly unknown[]): SourceRow | undefined {
    if (values.every((value) => value === '' || value === null)) return undefined;
    if (this.#names !== undefined) return checkLength({ line, names: this.#names, values });
    this.#names = values.map((value) => (typeof value === 'string' ? value.trim() : ''));
    return { line, names: this.#names, values: [] };
  }
}

function checkLength(row: SourceRow): SourceRow {
  const { names, values } = row;
  if (names.length === values.length) return row;
  const problem =
    values.length < names.length
      ? `the column '${names[values.length]}' is missing`
      : 'a value stands behind the last column; is one with a delimiter in it not quoted?';
  return {
    ...row,
    problem: `${problem} (${values.length} values, the header has ${names.length})`,
  };
}
