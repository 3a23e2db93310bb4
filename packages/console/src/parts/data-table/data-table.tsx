import { Checkbox } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Width as in a grid template, such as `minmax(160px, 2fr)`. */
  readonly width: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** Key of the row that is open beside the table. */
  readonly openKey?: string | undefined;
  /** Whether the first column has two lines. */
  readonly hasTwoLines?: boolean;
  /** Called when the end of the rows comes into view. */
  readonly onEnd?: () => void;
  /** Height of the frame. */
  readonly height?: string;
  /** Lets rows be chosen by a check box, or by the space bar. */
  readonly selection?: Selection<Row> | undefined;
}

export interface Selection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly toggle: (rows: readonly Row[], isSelected: boolean) => void;
  /** Name of the box that chooses every row that is loaded. */
  readonly allLabel: string;
  /** Name of the box of a row. */
  readonly labelOf: (row: Row) => string;
}

const rowsBeforeEnd = 20;

/**
 * A table of any number of rows, of which only those in view exist. Arrows, Home and End move, Enter opens.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, keyOf, onOpen, openKey, hasTwoLines = false, onEnd, selection } = props;
  const columns = selection === undefined ? props.columns : [boxColumn(selection), ...props.columns];
  const frame = useRef<HTMLDivElement>(null);
  const rowPixels = hasTwoLines ? 52 : 40;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPixels,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastShown >= rows.length - rowsBeforeEnd) onEnd?.();
  }, [lastShown, rows.length, onEnd]);
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  const focusRow = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    const focus = () => {
      const row = frame.current?.querySelector<HTMLElement>(`[data-index="${next}"]`);
      row?.focus({ preventScroll: true });
      return row;
    };
    virtualizer.scrollToIndex(next);
    // At once if it exists, because the next key may be pressed before the next frame.
    if (!focus()) requestAnimationFrame(focus);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number, row: Row) => {
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + 10,
      PageUp: index - 10,
      Home: 0,
      End: rows.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) focusRow(target);
    else if (event.target !== event.currentTarget) return;
    else if (event.key === 'Enter') onOpen(row);
    else if (event.key === ' ' && selection) selection.toggle([row], !selection.isSelected(row));
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={frame}
      className={styles.frame}
      style={{ height: props.height ?? 'calc(100dvh - 208px)' }}
      // What scrolls must be reachable by keyboard, even while it has no row.
      tabIndex={rows.length === 0 ? 0 : -1}
    >
      <table aria-label={label} aria-rowcount={rows.length + 1} className={styles.table}>
        <thead className={styles.block}>
          <tr className={`${styles.row} ${styles.head}`} style={template} aria-rowindex={1}>
            {columns.map(({ key, title, isNumber }) => (
              <th key={key} scope="col" className={`${styles.cell} ${isNumber ? styles.number : ''}`}>
                {key === boxKey && selection ? <AllBox rows={rows} selection={selection} /> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index] as Row;
            const key = keyOf(row);
            return (
              <tr
                key={key}
                data-index={index}
                data-open={key === openKey}
                aria-selected={selection?.isSelected(row)}
                className={`${styles.row} ${hasTwoLines ? styles.two : ''} ${styles.line}`}
                style={{ ...template, transform: `translateY(${start}px)` }}
                aria-rowindex={index + 2}
                tabIndex={index === 0 || key === openKey ? 0 : -1}
                onClick={() => onOpen(row)}
                onKeyDown={(event) => onKeyDown(event, index, row)}
              >
                {columns.map((column) => (
                  <td key={column.key} className={`${styles.cell} ${column.isNumber ? styles.number : ''}`}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const boxKey = 'box';

function boxColumn<Row>({ isSelected, toggle, labelOf }: Selection<Row>): Column<Row> {
  return {
    key: boxKey,
    title: '',
    width: '20px',
    cell: (row) => (
      <Checkbox
        size="xs"
        aria-label={labelOf(row)}
        checked={isSelected(row)}
        onClick={(event) => event.stopPropagation()}
        onChange={({ currentTarget }) => toggle([row], currentTarget.checked)}
      />
    ),
  };
}

interface AllProps<Row> {
  readonly rows: readonly Row[];
  readonly selection: Selection<Row>;
}

/** Chooses every row that is loaded. */
function AllBox<Row>({ rows, selection }: AllProps<Row>) {
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
