/** One row of a file of any format. */
export interface SourceRow {
  /** Line on which the row begins, from 1; in a spreadsheet, the row number. */
  readonly line: number;
  /** Names of the columns, the same array for every row of a table. */
  readonly names: readonly string[];
  /**
   * A value for each name, as the format has it. A spreadsheet's number is a {@link SheetNumber}, and an empty cell of
   * any table an empty text.
   */
  readonly values: readonly unknown[];
  /** Why this row cannot be read, although those after it can. */
  readonly problem?: string;
  /** The line itself, if it is not a JSON object. */
  readonly raw?: string;
}

/** A number in a spreadsheet, with the digits from its file. */
export class SheetNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** Names the columns of a table by its first row; skips blank rows. */
export class TableHeader {
  #names: readonly string[] | undefined;

  /** Returns `undefined` for a blank row, and the header as a row without values. */
  toRow(line: number, values: readonly unknown[]): SourceRow | undefined {
    if (values.every((value) => value === '')) return undefined;
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
      : 'the row has more values than the header; is a value that contains the delimiter not quoted?';
  return {
    ...row,
    problem: `${problem} (${values.length} values, the header has ${names.length})`,
  };
}
