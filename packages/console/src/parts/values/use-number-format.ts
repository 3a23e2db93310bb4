import { useMemo } from 'react';
import type { Id } from '../../api/wire.ts';
import { useLocale } from '../../i18n/texts.ts';

/** Returns a function that writes numbers as the reader's language does. */
export function useNumberFormat(options?: Intl.NumberFormatOptions): (value: Id) => string {
  const locale = useLocale();
  const key = JSON.stringify(options ?? {});
  return useMemo(() => {
    const format = new Intl.NumberFormat(locale, JSON.parse(key));
    return (value) => format.format(value);
  }, [locale, key]);
}
