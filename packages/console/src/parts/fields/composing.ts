import { useState, useSyncExternalStore } from 'react';
import { watchedValue } from '../../api/watched-value.ts';

/** Whether an input method, such as one for pinyin, is composing a text in the field with the focus. */
export const composing = watchedValue(false);

/** Follows the input method, which shows letters in a field before it has turned them into words. */
export function watchComposing(): void {
  addEventListener('compositionstart', () => composing.write(true), { capture: true });
  addEventListener('compositionend', () => composing.write(false), { capture: true });
  // A field that is removed during a composition reports no end of it.
  addEventListener('focusin', () => composing.write(false), { capture: true });
}

/** Returns the typed text, but the text from before while an input method composes: half a syllable finds nothing. */
export function useComposedText(text: string): string {
  const isComposing = useSyncExternalStore(composing.subscribe, composing.read);
  const [composed, setComposed] = useState(text);
  if (isComposing) return composed;
  if (composed !== text) setComposed(text);
  return text;
}

/** The key code that browsers report for every key that an input method handles. */
const inputMethodKeyCode = 229;

/**
 * Returns whether a key belongs to a composition. Safari ends the composition before it reports the key that ended it.
 */
export function isForInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === inputMethodKeyCode;
}
