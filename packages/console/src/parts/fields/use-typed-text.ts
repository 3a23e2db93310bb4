import { defaultOptionsFilter, type OptionsFilter } from '@mantine/core';
import { useState } from 'react';
import { endedSession } from '../../api/session.ts';
import { useComposedText } from './composing.ts';

/** The type of Mantine's filter is too wide: it returns some of the options that it receives. */
const filterOptions = defaultOptionsFilter as OptionsFilter;

/**
 * Holds what is typed into a field with choices. Such a field forgets the text when it loses the focus, which it also
 * does when the page asks to sign in again; then the text stays.
 *
 * @param start the text of the chosen value, if there is one
 * @param report receives each new text
 */
export function useTypedText(start = '', report?: ((text: string) => void) | undefined) {
  const [searchValue, setText] = useState(start);
  const composed = useComposedText(searchValue);
  // Mantine passes an empty search while the text is the name of the chosen option.
  const filter: OptionsFilter = (input) =>
    filterOptions({ ...input, search: input.search === '' ? '' : composed });
  return {
    searchValue,
    onSearchChange(text: string) {
      if (endedSession.read()) return;
      setText(text);
      report?.(text);
    },
    filter,
  };
}
