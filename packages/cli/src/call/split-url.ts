import { UsageError } from '../run-program.ts';
import type { CallTarget } from './credentials.ts';

/**
 * Splits the URL of a server into its origin and its path. Keeps the path as written, which the URL class would
 * normalise.
 *
 * @throws {UsageError} that names the flag, the variable or the file with the URL
 */
export function splitUrl({ url, urlSource = '--url' }: CallTarget): { origin: URL; basePath: string } {
  const [, origin, basePath = ''] = /^(https?:\/\/[^/?#\s@]+)(\/[^?#\s]*)?$/i.exec(url) ?? [];
  if (origin === undefined || !URL.canParse(origin)) {
    const example = 'it must be like http://127.0.0.1:8080/base/path';
    // The text before an @ may be a password, so the message does not show it.
    throw new UsageError(
      url.includes('@')
        ? `${urlSource} has a user or a password before an @; leave them out: ${example}`
        : `${urlSource} is ${JSON.stringify(url)}; ${example}`,
    );
  }
  return { origin: new URL(origin), basePath: basePath.replace(/\/+$/, '') };
}
