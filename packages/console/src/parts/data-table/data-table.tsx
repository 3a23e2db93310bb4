import { VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useLeftPosition } from '../page/use-left-position.ts';
import { useTenant } from '../use-tenant.ts';
import { type Column, narrowestOf } from './column.ts';
import styles from './data-table.module.css';
import { useDensity } from './density.ts';
import { NotPrinted, printedMax } from './not-printed.tsx';
import { AllBox, boxColumn, boxKey, type Selection } from './selection-boxes.tsx';
import { TableRow } from './table-row.tsx';
import { useLatest } from './use-latest.ts';
import { usePrinting } from './use-printing.ts';
import { useRoom } from './use-room.ts';
import { useRowsInView } from './use-rows-in-view.ts';
import { useTabStop } from './use-tab-stop.ts';
import { useTableKeys } from './use-table-keys.ts';

export type { Column } from './column.ts';
export type { Selection } from './selection-boxes.tsx';

interface Props<Row> {
  readonly label: string;
  /** Tells this list from those of other pages, whose positions the browser keeps too. */
  readonly scrollId: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row; absent if there is nothing to open. */
  readonly onOpen: ((row: Row) => void) | undefined;
  /** Key of the row that is open beside the table. */
  readonly openKey?: string | undefined;
  /** Called when the end of the rows comes into view. */
  readonly onEnd?: () => void;
  /** How many rows follow that are not loaded; `some` if nobody has counted them. */
  readonly notLoaded?: number | 'some';
  /** Maximum height of the frame. On a narrow screen the page scrolls instead. */
  readonly height?: string;
  /** If given, rows are selected by a check box or the space bar. */
  readonly selection?: Selection<Row> | undefined;
}

const rowsBeforeEnd = 20;

/** Two lines fit into a row of either height. */
const rowRem = { dense: 2.25, normal: 2.5 };

/** The line of other values where there is no room for columns. */
const lineRem = 1.25;

/**
 * A table of any number of rows. The page holds only the rows in view, but prints all that are loaded. Arrows, Home and
 * End move, Enter opens.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, keyOf, openKey, onEnd, notLoaded = 0, selection } = props;
  const columns = useColumns(props);
  const frame = useRef<HTMLDivElement>(null);
  const { isNarrow, isCramped, remPixels } = useRoom(frame, narrowestOf(columns));
  const { isDense } = useDensity();
  const rowPixels = (rowRem[isDense ? 'dense' : 'normal'] + (isNarrow ? lineRem : 0)) * remPixels;
  const virtualizer = useRowsInView(frame, { rows, keyOf, rowPixels, isNarrow });
  // After the virtualizer, which scrolls to the top of its rows when it is created.
  const scrollId = `${useTenant()} ${props.scrollId}`;
  useLeftPosition(frame, scrollId);
  const items = virtualizer.getVirtualItems();
  const { scrollMargin } = virtualizer.options;
  const isPrinting = usePrinting();
  const drawn = isPrinting
    ? rows.slice(0, printedMax).map((_, index) => ({ index, top: undefined }))
    : items.map(({ index, start }) => ({ index, top: start - scrollMargin }));
  const { tabStop, onFocus } = useTabStop({
    drawn,
    keyAt: (index) => keyOf(rows[index] as Row),
    firstInView: virtualizer.range?.startIndex,
  });
  const lastShown = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastShown >= rows.length - rowsBeforeEnd) onEnd?.();
  }, [lastShown, rows.length, onEnd]);
  const template = isNarrow ? undefined : columns.map(({ width }) => width).join(' ');
  const layout = `${isNarrow ? styles.narrow : styles.wide} ${props.onOpen ? styles.opens : ''} ${isDense ? styles.dense : ''} ${isCramped ? styles.cramped : ''}`;
  const onOpen = useLatest((row: Row) => props.onOpen?.(row));
  const { scrollToIndex } = virtualizer;
  const onKeyDown = useTableKeys(frame, { rowCount: rows.length, scrollToIndex, selection, onOpen });
  return (
    <div
      ref={frame}
      className={`${styles.frame} ${layout}`}
      style={isNarrow || isPrinting ? {} : { maxHeight: props.height ?? 'calc(100dvh - 13rem)' }}
      // A scrolling area must be reachable by keyboard, even while it has no row.
      tabIndex={rows.length === 0 ? 0 : -1}
    >
      <table
        aria-label={label}
        // With the head. -1 means that nobody has counted them.
        aria-rowcount={notLoaded === 'some' ? -1 : rows.length + notLoaded + 1}
        data-rows={rows.length}
        className={styles.table}
        // Takes the focus of a row that is scrolled out of view, and of the last one that is deleted.
        tabIndex={-1}
      >
        <thead className={styles.top}>
          <HeadRow columns={columns} rows={rows} selection={selection} template={template} />
        </thead>
        <tbody
          className={styles.body}
          style={isPrinting ? {} : { height: virtualizer.getTotalSize() }}
          onFocus={onFocus}
        >
          {drawn.map(({ index, top }) => {
            const row = rows[index] as Row;
            const key = keyOf(row);
            return (
              <TableRow
                key={key}
                rowKey={key}
                row={row}
                index={index}
                top={top}
                height={rowPixels}
                measure={isNarrow ? virtualizer.measureElement : undefined}
                columns={columns}
                template={template}
                boxes={selection === undefined ? 0 : 1}
                isOpen={key === openKey}
                isTabStop={index === tabStop || key === openKey}
                isSelected={selection?.isSelected(row)}
                onOpen={onOpen}
                onKeyDown={onKeyDown}
              />
            );
          })}
        </tbody>
      </table>
      {isPrinting && <NotPrinted rows={rows.length} notLoaded={notLoaded} />}
    </div>
  );
}

/** Returns the columns, after one of check boxes if rows can be selected. */
function useColumns<Row>({ columns, selection }: Pick<Props<Row>, 'columns' | 'selection'>) {
  return useMemo(
    () => (selection === undefined ? columns : [boxColumn(selection), ...columns]),
    [columns, selection],
  );
}

interface HeadProps<Row> extends Pick<Props<Row>, 'columns' | 'rows' | 'selection'> {
  readonly template: string | undefined;
}

function HeadRow<Row>({ columns, rows, selection, template }: HeadProps<Row>) {
  const { general } = useTexts();
  return (
    <tr
      className={`${styles.row} ${styles.head}`}
      style={template === undefined ? {} : { gridTemplateColumns: template }}
      aria-rowindex={1}
    >
      {columns.map(({ key, title, isNumber, isActions }) => (
        <th key={key} scope="col" className={`${styles.cell} ${isNumber ? styles.number : ''}`}>
          {key === boxKey && selection ? <AllBox rows={rows} selection={selection} /> : title}
          {isActions && <VisuallyHidden>{general.actions}</VisuallyHidden>}
        </th>
      ))}
    </tr>
  );
}
