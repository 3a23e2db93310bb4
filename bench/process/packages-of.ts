import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Loads the server package of a checkout, which may be another revision. */
export function serverOf(root: string): Promise<typeof import('@fieldroster/server')> {
  return import(pathToFileURL(join(root, 'packages/server/src/index.ts')).href);
}
