import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { FileFault } from './file-fault.ts';

/** One row of a file of any format. */
export interface SourceRow {
  /** Line on which the row begins, from 1; in a spreadsheet, the row number. */
  readonly line: number;
  /** Names of the columns, the same array for every row of a table. */
  readonly names: readonly string[];
  /**
   * A value for each name, as the format has it. A spreadsheet's number is a {@link SheetNumber}, a cell without a
   * usable value a {@link SheetFault}, and an empty cell of any table an empty text.
   */
  readonly values: readonly unknown[];
  /** Why this row cannot be read, although those after it can. */
  readonly problem?: string;
  /** The same as data, for other languages; absent for what only the command finds. */
  readonly fault?: Problem;
  /** The line itself, if it is not a JSON object. */
  readonly raw?: string;
  /** In the header of a sheet: what a spreadsheet program hides of the sheet; absent if that is nothing. */
  readonly hidden?: HiddenInSheet;
}

/** The part of a sheet that is read although a spreadsheet program does not show it. */
export interface HiddenInSheet {
  /** The name of the sheet. */
  readonly sheet: string;
  /** Whether the whole sheet is hidden. */
  readonly isWholeSheet: boolean;
  /** How many rows with values are hidden, by hand or by a filter; all of them in a hidden sheet. */
  readonly rows: number;
}

/** A number in a spreadsheet, with the digits from its file. */
export class SheetNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/**
 * A cell of a spreadsheet that shows an error, has a formula whose result is not in its file, or has a number to which
 * its format adds characters.
 */
export class SheetFault {
  readonly kind: 'error' | 'formula' | 'format';
  /** The error, such as `#N/A`, the formula, with its `=`, or the format. */
  readonly text: string;

  constructor(kind: SheetFault['kind'], text: string) {
    this.kind = kind;
    this.text = text;
  }
}

/** Names the columns of a table by its first row; skips blank rows. */
export class TableHeader {
  #names: readonly string[] | undefined;

  /**
   * Returns `undefined` for a blank row, and the header as a row without values.
   *
   * @throws {FileFault} for a name that the spreadsheet could not compute: its column would be left out
   */
  toRow(line: number, values: readonly unknown[]): SourceRow | undefined {
    if (values.every((value) => value === '')) return undefined;
    if (this.#names !== undefined) return checkLength({ line, names: this.#names, values });
    this.#names = values.map((value) => nameOf(value, line));
    return { line, names: this.#names, values: [] };
  }
}

function nameOf(value: unknown, line: number): string {
  if (value instanceof SheetFault && value.kind !== 'format') {
    if (value.kind === 'formula') throw new FileFault({ key: 'headerWithoutResult', values: {} }, line);
    throw new FileFault({ key: 'headerError', values: { value: value.text } }, line);
  }
  return typeof value === 'string' ? value.trim() : '';
}

function checkLength(row: SourceRow): SourceRow {
  const { names, values } = row;
  if (names.length === values.length) return row;
  const counts = { values: values.length, names: names.length };
  const column = names[values.length];
  return {
    ...row,
    ...asFault(
      column === undefined
        ? { key: 'moreValues', values: counts }
        : { key: 'fewerValues', values: { column, ...counts } },
    ),
  };
}

/** Says what is wrong with a row, in English and as data. */
function asFault(problem: Problem): { readonly problem: string; readonly fault: Problem } {
  return { problem: problemInEnglish(problem), fault: problem };
}
