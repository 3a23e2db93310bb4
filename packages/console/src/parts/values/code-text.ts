import type { CodeText } from '../../i18n/en/codes.ts';
import { useTexts } from '../../i18n/texts.ts';

/** Returns a function that says what a code means and what to do about it. */
export function useCodeText(): (code: number) => CodeText {
  const { codes, otherCode } = useTexts();
  return (code) => (codes as Readonly<Record<number, CodeText>>)[code] ?? otherCode(code);
}

/** Codes that a working integration may be answered: repetitions, and entries that are not there or not as expected. */
const ordinary = (code: number) =>
  code === 0 || code === 1015 || code === 1017 || (code >= 1101 && code < 1429);

/** Returns whether a code says that the integration itself is broken, and not only one of its requests. */
export function isFault(code: number): boolean {
  return !ordinary(code);
}
