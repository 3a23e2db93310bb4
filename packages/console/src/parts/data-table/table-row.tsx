import { type CSSProperties, type KeyboardEvent, memo } from 'react';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { NarrowCells } from './narrow-cells.tsx';
import { RowStop } from './row-stop.ts';
import { showCutText } from './show-cut-text.ts';

interface Props<Row> {
  readonly row: Row;
  readonly rowKey: string;
  readonly index: number;
  /** Distance from the top of the rows, and height, in pixels. On paper, each row follows the one before. */
  readonly top: number | undefined;
  readonly height: number;
  /** Notes how high the row is; absent where all are alike. */
  readonly measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  readonly columns: readonly Column<Row>[];
  /** Widths of the columns; absent where there is no room for columns. */
  readonly template: string | undefined;
  /** How many columns before the first value hold check boxes. */
  readonly boxes: number;
  readonly isOpen: boolean;
  /** Whether the Tab key reaches the row and its controls. */
  readonly isTabStop: boolean;
  readonly isSelected: boolean | undefined;
  readonly onOpen: (row: Row) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, index: number, row: Row) => void;
}

function PlainTableRow<Row>({ row, index, isOpen, onOpen, onKeyDown, ...props }: Props<Row>) {
  const { top, height, template, measure } = props;
  const widths = template === undefined ? {} : { gridTemplateColumns: template };
  const place = top === undefined ? {} : { transform: `translateY(${top}px)` };
  return (
    <tr
      ref={measure}
      data-index={index}
      data-key={props.rowKey}
      data-open={isOpen}
      aria-selected={props.isSelected}
      className={`${styles.row} ${styles.line}`}
      style={{ ...widths, ...place, ...rowHeight(height) }}
      aria-rowindex={index + 2}
      tabIndex={props.isTabStop ? 0 : -1}
      onClick={() => onOpen(row)}
      onPointerOver={showCutText}
      onKeyDown={(event) => onKeyDown(event, index, row)}
    >
      <RowStop value={props.isTabStop}>
        <Cells row={row} {...props} />
      </RowStop>
    </tr>
  );
}

/** A property of its own, because on paper rows are as high as what is in them. */
function rowHeight(pixels: number): CSSProperties {
  return { '--row-height': `${pixels}px` } as CSSProperties;
}

/** A row. It renders again only when it changes: a search keeps showing the old rows until its own arrive. */
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

type CellsProps<Row> = Pick<Props<Row>, 'row' | 'columns' | 'boxes' | 'template'>;

function Cells<Row>({ row, columns, boxes, template }: CellsProps<Row>) {
  const isNarrow = template === undefined;
  const others = isNarrow ? columns.slice(0, boxes) : columns;
  return (
    <>
      {others.map((column) => (
        <td
          key={column.key}
          className={`${styles.cell} ${classOf(column)}`}
          dir="auto"
          data-row-actions={column.isActions}
        >
          {column.cell(row)}
        </td>
      ))}
      {isNarrow && <NarrowCells row={row} columns={columns.slice(boxes)} />}
    </>
  );
}

function classOf({ isNumber, isCode, isActions, hasTwoLines }: Column<never>): string {
  return [
    isNumber && styles.number,
    isCode && styles.code,
    isActions && styles.actions,
    hasTwoLines && styles.twoLines,
  ]
    .filter(Boolean)
    .join(' ');
}
