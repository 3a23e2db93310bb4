import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The server package of a checkout, which need not be this one. */
export function serverOf(root: string): Promise<typeof import('@fieldroster/server')> {
  return import(indexOf(root, 'server'));
}

/** The signing package of a checkout. */
export function signingOf(root: string): Promise<typeof import('@fieldroster/signing')> {
  return import(indexOf(root, 'signing'));
}

function indexOf(root: string, name: string): string {
  return pathToFileURL(join(root, 'packages', name, 'src/index.ts')).href;
}
