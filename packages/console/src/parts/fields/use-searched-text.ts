import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useComposedText } from './composing.ts';

/**
 * Holds the text of a field that searches on typing, and returns what to search for once the typing pauses. After a pick,
 * the field shows the name of what is picked, and that text is no search.
 *
 * @param pickedLabel the name of what is picked
 */
export function useSearchedText(pickedLabel: string | undefined, typingMs = 120) {
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(useComposedText(text).trim(), typingMs);
  return { search: typed === pickedLabel ? '' : typed, setText };
}
