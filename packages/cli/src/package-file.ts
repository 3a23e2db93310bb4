/** Returns the URL of a file in this package's root folder. */
export function packageFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
