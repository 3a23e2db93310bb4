import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { isForInputMethod } from '../../parts/fields/composing.ts';
import styles from './palette.module.css';
import { type TypedText, typedCharactersMax } from './typed-text.ts';

interface Props {
  readonly typed: TypedText;
  readonly onType: (typed: TypedText) => void;
  readonly onClose: () => void;
}

/** Takes what is typed until the palette is there: its code may still be loading, and its field appears a moment later. */
export function EarlyField({ typed, onType, onClose }: Props) {
  const { navigation, palette } = useTexts();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <input
      ref={field}
      className={styles.early}
      aria-label={palette.title}
      placeholder={navigation.palette}
      maxLength={typedCharactersMax}
      value={typed.text}
      onChange={({ currentTarget }) => onType({ text: currentTarget.value, isEntered: false })}
      onKeyDown={({ key, nativeEvent }) => {
        if (isForInputMethod(nativeEvent)) return;
        if (key === 'Escape') onClose();
        if (key === 'Enter') onType({ ...typed, isEntered: true });
      }}
    />
  );
}
