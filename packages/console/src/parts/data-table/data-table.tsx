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
}

const rowsBeforeEnd = 20;

/**
 * A table of any number of rows, of which only those in view exist. Arrows, Home and End move, Enter opens.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, onOpen, openKey, hasTwoLines = false, onEnd } = props;
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
    virtualizer.scrollToIndex(next);
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true }),
    );
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
    else if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row);
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
                {title}
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
