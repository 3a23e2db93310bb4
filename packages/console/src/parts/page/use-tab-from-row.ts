import { type RefObject, useEffect } from 'react';

/**
 * Leads Tab from the row that is open into its drawer, and Shift+Tab from the first button of the drawer back to the row.
 * The drawer is at the end of the page, so Tab alone would go through every row below it first.
 */
export function useTabFromRow(drawer: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey) return;
      const row = document.querySelector<HTMLElement>('tr[data-open="true"]');
      const first = firstButton(drawer.current);
      const [from, to] = event.shiftKey ? [first, row] : [row, first];
      if (!from || event.target !== from) return;
      to?.focus();
      // A row below a full page takes no focus; Shift+Tab then moves as usual.
      if (document.activeElement === to) event.preventDefault();
    };
    addEventListener('keydown', lead);
    return () => removeEventListener('keydown', lead);
  }, [drawer]);
}

/** On a phone, the button of the full page is not shown. */
function firstButton(drawer: HTMLElement | null): HTMLElement | undefined {
  return [...(drawer?.querySelectorAll('button') ?? [])].find((button) => button.checkVisibility());
}
