import { useMemo } from 'react';
import type { Id } from '../api/wire.ts';
import { languages, useLanguage } from '../i18n/texts.ts';

/** Returns a function that writes numbers as the reader's language does. */
export function useNumberFormat(options?: Intl.NumberFormatOptions): (value: Id) => string {
  const { tag } = languages[useLanguage().language];
  const key = JSON.stringify(options ?? {});
  return useMemo(() => {
    const format = new Intl.NumberFormat(tag, JSON.parse(key));
    return (value) => format.format(value);
  }, [tag, key]);
}
