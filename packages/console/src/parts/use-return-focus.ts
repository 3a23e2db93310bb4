import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Puts the focus back where it was when a dialog is gone. For dialogs that are mounted to open them.
 *
 * @returns a function to call if the focus goes elsewhere this time
 */
export function useReturnFocus(): () => void {
  const [before] = useState(() => document.activeElement);
  const isReleased = useRef(false);
  useEffect(
    () => () => {
      // What takes the dialog's place may have taken the focus too.
      setTimeout(() => {
        if (isReleased.current || document.activeElement !== document.body) return;
        if (before instanceof HTMLElement) before.focus();
      });
    },
    [before],
  );
  return useCallback(() => {
    isReleased.current = true;
  }, []);
}
