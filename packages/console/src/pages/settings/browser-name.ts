/** A browser, as far as its own name says. The names are brands, which have no translation. */
export interface BrowserName {
  readonly browser: string;
  readonly system: string | undefined;
}

/** In this order, because a browser also says the names of those that it wants to be taken for. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:(?:Headless)?Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/**
 * Reads the `User-Agent` of a browser.
 *
 * @returns `undefined` for one that is not known
 */
export function browserName(userAgent: string): BrowserName | undefined {
  const browser = nameOf(browsers, userAgent);
  return browser === undefined ? undefined : { browser, system: nameOf(systems, userAgent) };
}

function nameOf(known: readonly (readonly [string, RegExp])[], userAgent: string): string | undefined {
  return known.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
