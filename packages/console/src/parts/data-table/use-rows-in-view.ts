import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';

interface Shape<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly rowPixels: number;
  /** Whether the page scrolls instead of the frame, and rows are as high as what is in them, `rowPixels` at least. */
  readonly isNarrow: boolean;
}

/** Says which rows are in view. */
export function useRowsInView<Row>(
  frame: RefObject<HTMLElement | null>,
  { rows, keyOf, rowPixels, isNarrow }: Shape<Row>,
) {
  const scroller = () => (isNarrow ? (frame.current?.closest('main') ?? null) : frame.current);
  const [above, setAbove] = useState(0);
  // Draws the rows in view of another list first, and those around them, for scrolling, afterwards.
  const firstDrawn = useDeferredValue(rows[0] && keyOf(rows[0]));
  // A list that changed at its top is the same list.
  const isDrawn = rows.slice(0, 20).some((row) => keyOf(row) === firstDrawn);
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: rows.length,
    getScrollElement: scroller,
    estimateSize: () => rowPixels,
    scrollMargin: isNarrow ? above : 0,
    overscan: isDrawn ? 12 : 1,
  });
  const measured = useRef({ rowPixels, isNarrow });
  // The virtualizer keeps the sizes that it had asked for.
  useLayoutEffect(() => {
    const before = measured.current;
    if (before.rowPixels === rowPixels && before.isNarrow === isNarrow) return;
    measured.current = { rowPixels, isNarrow };
    virtualizer.measure();
  }, [virtualizer, rowPixels, isNarrow]);
  // Runs after every render, because the height above the table may have changed.
  useLayoutEffect(() => {
    const page = isNarrow ? scroller() : null;
    const body = frame.current?.querySelector('tbody');
    if (!page || !body) return;
    const next = body.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop;
    setAbove(Math.round(next));
  });
  return virtualizer;
}
