/**
 * Returns the locale in which to write times and numbers: the first of the browser's that is in the console's language
 * and script, such as `en-GB` with its 24 hours.
 *
 * @param tag of the console's language
 * @param preferred the browser's locales, the best one first
 */
export function localeOf(tag: string, preferred: readonly string[]): string {
  const wanted = languageOf(tag);
  return preferred.find((locale) => languageOf(locale) === wanted) ?? tag;
}

function languageOf(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}
