import { Select } from '@mantine/core';
import { type LoadedOption, LoadedSelect, type OptionsQuery } from './loaded-select.tsx';
import { useTypedText } from './use-typed-text.ts';

interface Props {
  readonly label: string;
  readonly options: readonly LoadedOption[];
  /** Where the options come from, unless the page has them. */
  readonly query?: OptionsQuery;
  readonly value: string | undefined;
  /** Whether the values are sentences rather than names. */
  readonly isLong?: boolean;
  /** Whether it has a line of its own on a phone, where other filters stand in pairs. */
  readonly isWholeLine?: boolean;
  /** Receives null when the filter is cleared. */
  readonly onChange: (value: string | null) => void;
}

/** A filter of a list: one of many values, found by typing, or none. */
export function FilterSelect(props: Props) {
  const { label, options, query, value = '', isLong = false, isWholeLine = false, onChange } = props;
  const typed = useTypedText(options.find((option) => option.value === value)?.label);
  const common = {
    'aria-label': label,
    wrapperProps: { 'data-long': isLong || undefined, 'data-whole-line': isWholeLine || undefined },
    placeholder: label,
    clearable: true,
    searchable: true,
    value: value === '' ? null : value,
    onChange,
  };
  if (query === undefined) return <Select {...common} {...typed} data={[...options]} />;
  return <LoadedSelect {...common} query={query} options={options} />;
}
