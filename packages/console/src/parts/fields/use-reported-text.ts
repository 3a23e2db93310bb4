import { useDebouncedCallback } from '@mantine/hooks';
import { type ChangeEvent, type CompositionEvent, useEffect, useRef, useState } from 'react';

interface Options {
  readonly value: string;
  /** How long no key must have been pressed. */
  readonly typingMs: number;
  readonly onChange: (text: string) => void;
}

/**
 * Returns the properties of a field that reports its text as it is typed. What an input method composes is reported once
 * it is a text.
 */
export function useReportedText({ value, typingMs, onChange }: Options) {
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const report = useDebouncedCallback(onChange, typingMs);
  useEffect(() => {
    // The value may be trimmed, and would remove the space between two words while they are typed.
    if (document.activeElement !== ref.current) setText(value);
  }, [value]);
  return {
    ref,
    value: text,
    onChange({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) {
      setText(currentTarget.value);
      if (!(nativeEvent as InputEvent).isComposing) report(currentTarget.value);
    },
    onCompositionEnd({ currentTarget }: CompositionEvent<HTMLInputElement>) {
      report(currentTarget.value);
    },
  };
}
