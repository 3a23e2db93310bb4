import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';

interface Shape {
  readonly rows: readonly unknown[];
  readonly rowPixels: number;
  /** Whether the page scrolls instead of the frame. */
  readonly isNarrow: boolean;
}

/** Says which rows are in view. */
export function useRowsInView(frame: RefObject<HTMLElement | null>, { rows, rowPixels, isNarrow }: Shape) {
  const scroller = () => (isNarrow ? (frame.current?.closest('main') ?? null) : frame.current);
  const [above, setAbove] = useState(0);
  // Of a new list, the rows in view are drawn first, and then those around them, for scrolling.
  const drawn = useDeferredValue(rows[0]);
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: rows.length,
    getScrollElement: scroller,
    estimateSize: () => rowPixels,
    scrollMargin: isNarrow ? above : 0,
    overscan: drawn === rows[0] ? 12 : 1,
  });
  const measured = useRef(rowPixels);
  // The virtualizer keeps the sizes that it had asked for.
  useLayoutEffect(() => {
    if (measured.current === rowPixels) return;
    measured.current = rowPixels;
    virtualizer.measure();
  }, [virtualizer, rowPixels]);
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
