import { type ComboboxData, Select } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly data: ComboboxData;
  readonly value: string | undefined;
  /** Whether the values are sentences rather than names. */
  readonly isLong?: boolean;
  /** Whether it has a line of its own on a phone, where others are in pairs. */
  readonly isAlone?: boolean;
  /** Receives null when the filter is cleared. */
  readonly onChange: (value: string | null) => void;
}

/** A filter of a list: one of many values, found by typing, or none. */
export function FilterSelect({ label, data, value = '', isLong = false, isAlone = false, onChange }: Props) {
  return (
    <Select
      aria-label={label}
      wrapperProps={{ 'data-long': isLong || undefined, 'data-whole-line': isAlone || undefined }}
      placeholder={label}
      clearable
      searchable
      data={data}
      value={value === '' ? null : value}
      onChange={onChange}
    />
  );
}
