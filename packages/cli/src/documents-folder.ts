import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Returns the folder of the documents that messages name: the one that the package ships, or that of the checkout. */
export function documentsFolder(): string {
  const shipped = fileURLToPath(new URL('docs', import.meta.url));
  return existsSync(shipped) ? shipped : fileURLToPath(new URL('../../../docs', import.meta.url));
}
