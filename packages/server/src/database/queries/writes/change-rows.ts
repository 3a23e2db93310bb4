import type { Compilable, Kysely } from 'kysely';
import { slicesOf } from '../../../slices/slices-of.ts';
import { TimeSlice } from '../../../slices/time-slice.ts';
import { Placeholder, plansOf } from '../compile-once.ts';
import { type Cell, rowsToJson } from '../rows-json.ts';
import type { Schema } from '../schema.ts';
import type { RowColumn, Session } from '../session.ts';

/** Rows to change between checks of the time. */
const rowsAtOnce = 500;

/** Limits of one statement, in rows and in characters of their texts. Making it takes some milliseconds. */
const rowsTogether = {
  countMax: 10_000,
  weightMax: 1024 * 1024,
  weightOf: (row: readonly Cell[]) =>
    row.reduce((sum: number, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0),
};

interface Ways<Shared, Row> {
  /**
   * Changes one row; the second argument holds placeholders for the shared values and the row's cells. Left out if one
   * statement for several rows is faster on every engine. Callers then pass a few hundred rows at a time, because SQLite
   * runs the statement at once.
   */
  readonly each?: (db: Kysely<Schema>, value: Shared & Row) => Compilable<unknown>;
  /** Changes several rows in one statement. */
  readonly together: (session: Session, values: Shared & { rows: string }) => Promise<unknown>;
}

/**
 * Returns a change of many rows. On an in-process engine, one statement per row takes two thirds of the time of a
 * single statement that reads all rows from a JSON text.
 *
 * @param columns a row's columns, in order
 */
export function changeRows<Shared extends Readonly<Record<string, unknown>>, Row>(
  columns: readonly (RowColumn & { readonly name: keyof Row })[],
  { each, together }: Ways<Shared, Row>,
): (session: Session, shared: Shared, rows: readonly (readonly Cell[])[]) => Promise<void> {
  const planOf = each && plansOf(each);
  return async (session, shared, rows) => {
    if (rows.length === 0) return;
    const { engine, statements } = session;
    if (planOf === undefined || engine.manyRows === 'together') {
      for (const slice of slicesOf(rows, rowsTogether))
        await together(session, { ...shared, rows: rowsToJson(slice) });
      return;
    }
    const { sql, parameters } = planOf(session);
    const timeSlice = new TimeSlice();
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      const some = rows.slice(start, start + rowsAtOnce);
      await statements.each(sql, fillRows(parameters, columns, shared, some));
      if (timeSlice.isOver()) await timeSlice.next();
    }
  };
}

function* fillRows(
  parameters: readonly unknown[],
  columns: readonly RowColumn[],
  shared: Readonly<Record<string, unknown>>,
  rows: readonly (readonly Cell[])[],
): Generator<unknown[]> {
  const cells = parameters.map((parameter) =>
    parameter instanceof Placeholder ? columns.findIndex(({ name }) => name === parameter.name) : -1,
  );
  const filled = parameters.map((parameter) =>
    parameter instanceof Placeholder ? shared[parameter.name] : parameter,
  );
  for (const row of rows) {
    for (const [index, cell] of cells.entries()) if (cell >= 0) filled[index] = row[cell];
    yield filled;
  }
}
