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

/**
 * Returns the language and script of a tag; `undefined` for one that is malformed. Browsers on Linux give the name of the
 * system's locale, which may be `C` or `en-US@posix`.
 */
function languageOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return undefined;
  }
}
