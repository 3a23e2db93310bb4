import { useState } from 'react';
import { endedSession } from '../../api/session.ts';

/**
 * Holds what is typed into a field with choices. Such a field forgets the text when it loses the focus, which it also
 * does when the page asks to sign in again; then the text stays.
 *
 * @param start the text of the chosen value, if there is one
 * @param report receives each new text
 */
export function useTypedText(start = '', report?: ((text: string) => void) | undefined) {
  const [searchValue, setText] = useState(start);
  return {
    searchValue,
    onSearchChange(text: string) {
      if (endedSession.read()) return;
      setText(text);
      report?.(text);
    },
  };
}
