/**
 * Files and workers of this package, found from here: in the program that the command is built into, every
 * module lies in another place than its source, but for this folder's.
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
