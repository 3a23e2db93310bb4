import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

interface Props extends Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'onChange' | 'ref'> {
  readonly type: 'date' | 'datetime-local';
  /** As the browser writes it, such as `2026-01-31`; empty while it is incomplete. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * Asks for a day or a time. React must not control this field: with each change, it would also set the attribute `value`,
 * and Firefox then empties a date that is incomplete for a moment, such as 31 February on the way to 28 February.
 */
export function DateField({ value, onChange, ...props }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  const [first] = useState(value);
  useEffect(() => {
    const field = ref.current;
    // An incomplete date has the empty value, and is not to be written over by it.
    if (field !== null && field.value !== value) field.value = value;
  }, [value]);
  return (
    <TextInput
      {...props}
      ref={ref}
      defaultValue={first}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
