import { Checkbox } from '@mantine/core';
import type { Column } from './column.ts';
import { useRowTabIndex } from './row-stop.ts';

export interface Selection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly toggle: (rows: readonly Row[], isSelected: boolean) => void;
  /** Name of the box that chooses every row that is loaded. */
  readonly allLabel: string;
  /** Name of the box of a row. */
  readonly labelOf: (row: Row) => string;
}

export const boxKey = 'box';

export function boxColumn<Row>(selection: Selection<Row>): Column<Row> {
  return {
    key: boxKey,
    title: '',
    width: '1.25rem',
    cell: (row) => <RowBox row={row} selection={selection} />,
  };
}

interface BoxProps<Row> {
  readonly row: Row;
  readonly selection: Selection<Row>;
}

function RowBox<Row>({ row, selection: { isSelected, toggle, labelOf } }: BoxProps<Row>) {
  return (
    <Checkbox
      size="xs"
      tabIndex={useRowTabIndex()}
      aria-label={labelOf(row)}
      checked={isSelected(row)}
      onClick={(event) => event.stopPropagation()}
      onChange={({ currentTarget }) => toggle([row], currentTarget.checked)}
    />
  );
}

interface AllProps<Row> {
  readonly rows: readonly Row[];
  readonly selection: Selection<Row>;
}

/** Chooses every row that is loaded. */
export function AllBox<Row>({ rows, selection }: AllProps<Row>) {
  const count = rows.filter(selection.isSelected).length;
  return (
    <Checkbox
      size="xs"
      aria-label={selection.allLabel}
      checked={count > 0 && count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      onChange={({ currentTarget }) => selection.toggle(rows, currentTarget.checked)}
    />
  );
}
