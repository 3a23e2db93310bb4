import { useDebouncedCallback } from '@mantine/hooks';
import { type ChangeEvent, type CompositionEvent, useEffect, useRef, useState } from 'react';

interface Options {
  readonly value: string;
  /** How long a pause in the typing must be before the text is reported. */
  readonly typingMs: number;
  readonly onChange: (text: string) => void;
}

/**
 * Returns the properties of a field that reports its text while it is typed. Letters that an input method is composing
 * are not reported before they have become words.
 */
export function useReportedText({ value, typingMs, onChange }: Options) {
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const report = useDebouncedCallback(onChange, typingMs);
  useEffect(() => {
    // The value may be trimmed. Setting it during typing would remove the space before the next word.
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
