import { TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { searchText } from '../../api/search-text.ts';
import { isTyped } from './is-typed.ts';
import { useReportedText } from './use-reported-text.ts';

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly charactersMax?: number;
}

/** Shorter than between most keys: results within 200 ms of the last one leave no time to wait for another. */
const typingMs = 60;

/** Searches a list as its user types. `/` focuses it. */
export function SearchField({ label, placeholder, value, onChange, charactersMax = 100 }: Props) {
  const typed = useReportedText({ value, typingMs, onChange: (text) => onChange(searchText(text)) });
  const focus = (event: KeyboardEvent) => {
    // A dialog keeps the focus: what is below it cannot be seen.
    if (isTyped(event.target) || document.querySelector('.mantine-Modal-content') !== null) return;
    event.preventDefault();
    typed.ref.current?.focus();
  };
  useHotkeys([['/', focus, { preventDefault: false }]], []);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size="0.875rem" />}
      maxLength={charactersMax}
      {...typed}
    />
  );
}
