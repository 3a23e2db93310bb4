import { type FocusEvent, useState } from 'react';

interface Rows {
  /** The rows that the page holds, in order. */
  readonly drawn: readonly { readonly index: number }[];
  readonly keyAt: (index: number) => string;
  /** The first row in view, if any. */
  readonly firstInView: number | undefined;
}

/**
 * Returns the row that the Tab key reaches: the one that had the focus last, else the first row, or the first in view if
 * that one is not drawn.
 */
export function useTabStop({ drawn, keyAt, firstInView }: Rows) {
  const [focused, setFocused] = useState<string>();
  const last = drawn.find(({ index }) => keyAt(index) === focused);
  return {
    tabStop: last?.index ?? (drawn[0]?.index === 0 ? 0 : firstInView),
    onFocus: ({ target }: FocusEvent) => setFocused(target.closest<HTMLElement>('[data-key]')?.dataset.key),
  };
}
