/**
 * Locates files and workers of this package from here. The bundler of the command puts every module into a file at the
 * root of `dist`, which is where this source and its compiled form are as well.
 */

/** Whether this runs from the sources rather than from the published package. */
export const fromSources = import.meta.url.endsWith('.ts');

/** @param path from the folder of this module */
export function ownFile(path: string): URL {
  return new URL(path, import.meta.url);
}

/** @param path relative to the folder of this module, without its extension */
export function ownModule(path: string): URL {
  return ownFile(`${path}${fromSources ? '.ts' : '.js'}`);
}
