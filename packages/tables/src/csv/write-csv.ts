import { guardFormula } from '@fieldroster/contract/formula-guard';
import { stringify } from '#csv-stringify';

/**
 * The writer quotes only line feeds, but our reader also ends a row at a carriage return, and programs that guess the
 * separator count semicolons and tabs outside quotes.
 */
const quotedToo = /[\r\n;\t]/;

/** Returns rows as CSV, with a guard before every text that a spreadsheet would run as a formula. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return writeCsvAsIs(rows.map((row) => row.map(guardFormula)));
}

/** Returns rows as CSV whose cells the caller has guarded, apart from those that must not have a guard. */
export function writeCsvAsIs(rows: readonly (readonly string[])[]): string {
  return stringify([...rows], { quoted_match: quotedToo });
}
