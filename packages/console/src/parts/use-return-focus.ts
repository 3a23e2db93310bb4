import { useEffect, useState } from 'react';

/** Puts the focus back where it was when a dialog is gone. For dialogs that are mounted to open them. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // What takes the dialog's place may have taken the focus too.
      setTimeout(() => {
        if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
      });
    },
    [before],
  );
}
