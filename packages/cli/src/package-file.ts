/** A file of this package, which lies beside the folder of this module. */
export function packageFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
