import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Width as in a grid template, such as `minmax(10rem, 2fr)`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** Whether the value is an id or a code. */
  readonly isCode?: boolean;
  /** Whether the cell has the row's actions, which show while the row is pointed at or has the focus. */
  readonly isActions?: boolean;
  /** Whether the value may take two lines. */
  readonly hasTwoLines?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** In place of `cell` where there are no columns. */
  readonly narrowCell?: (row: Row) => ReactNode;
  /**
   * Where the value goes when the table is too narrow for columns: to the right of the first column's, behind both
   * lines, or to the start of the line below. Without a place, it is on that line with the others. `none` leaves out what
   * matters least.
   */
  readonly narrowPlace?: 'side' | 'end' | 'start' | 'none' | undefined;
  /** Whether the value says nothing without its title, which then precedes it where there are no columns. */
  readonly needsTitle?: boolean;
}

const gapRem = 1;

/** The padding and the border at both sides. */
const edgeRem = 1.625;

/** Returns how wide a table must be, in rem, so that no column is cut. */
export function narrowestOf(columns: readonly Pick<Column<never>, 'width'>[]): number {
  const widths = columns.map(({ width }) => Number(/([\d.]{1,8})rem/.exec(width)?.[1] ?? 0));
  return widths.reduce((sum, width) => sum + width + gapRem, edgeRem - gapRem);
}
