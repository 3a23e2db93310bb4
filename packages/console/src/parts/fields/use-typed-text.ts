import { defaultOptionsFilter, type OptionsFilter } from '@mantine/core';
import { useState } from 'react';
import { endedSession } from '../../api/session.ts';
import { useComposedText } from './composing.ts';

/** It returns some of the options that it gets, which its type does not say. */
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
  // The search is empty while the text is only the name of what is chosen.
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
