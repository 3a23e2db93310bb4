/**
 * Files and workers of this package, found from here: the bundler of the command puts every module into a file at
 * the root of `dist`, which is where this one's source and its compiled form lie as well.
 */

/** Whether this runs from the sources, and not from what is published. */
export const fromSources = import.meta.url.endsWith('.ts');

/** @param path from the folder of this module */
export function ownFile(path: string): URL {
  return new URL(path, import.meta.url);
}

/** @param path from the folder of this module, without an ending */
export function ownModule(path: string): URL {
  return ownFile(`${path}${fromSources ? '.ts' : '.js'}`);
}
