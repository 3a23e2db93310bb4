import type { KeyboardEvent, RefObject } from 'react';
import type { Selection } from './selection-boxes.tsx';
import { useLatest } from './use-latest.ts';

interface Keys<Row> {
  readonly rowCount: number;
  readonly scrollToIndex: (index: number) => void;
  readonly selection: Selection<Row> | undefined;
  readonly onOpen: (row: Row) => void;
}

/**
 * Returns the handler of keys in the row that has the focus: arrows, Page Up, Page Down, Home and End move, Enter opens,
 * Space selects.
 */
export function useTableKeys<Row>(
  frame: RefObject<HTMLElement | null>,
  { rowCount, scrollToIndex, selection, onOpen }: Keys<Row>,
) {
  const focusRow = (index: number) => {
    const next = Math.max(0, Math.min(rowCount - 1, index));
    scrollToIndex(next);
    // If the row exists, it takes the focus now, because the next key may be pressed before the next frame.
    if (!focusIn(frame, next)) requestAnimationFrame(() => focusIn(frame, next));
  };
  return useLatest((event: KeyboardEvent<HTMLElement>, index: number, row: Row) => {
    const target = targetOf(event.key, index, rowCount);
    if (target !== undefined) focusRow(target);
    else if (event.target !== event.currentTarget) return;
    else if (event.key === 'Enter') onOpen(row);
    else if (event.key === ' ' && selection) selection.toggle([row], !selection.isSelected(row));
    else return;
    event.preventDefault();
  });
}

/** Focuses a row if it exists at the moment. Returns whether it does. */
function focusIn(frame: RefObject<HTMLElement | null>, index: number): boolean {
  const row = frame.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  row?.focus({ preventScroll: true });
  return row != null;
}

/** Returns the row that a key moves to, which may be beyond the ends of the table. */
function targetOf(key: string, index: number, rowCount: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + 10,
    PageUp: index - 10,
    Home: 0,
    End: rowCount - 1,
  };
  return targets[key];
}
