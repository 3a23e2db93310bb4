import { UsageError } from '../run-program.ts';
import type { CallTarget } from './credentials.ts';

/**
 * Splits the URL of a server into its origin and its path. Keeps the path as written, which the URL class would
 * normalise.
 *
 * @throws {UsageError} that names the flag, the variable or the file with the URL
 */
export function splitUrl({ url, urlSource = '--url' }: CallTarget): { origin: URL; basePath: string } {
  const [, origin, basePath = ''] = /^(https?:\/\/[^/?#\s]+)([^?#\s]*)$/i.exec(url) ?? [];
  if (origin === undefined || !URL.canParse(origin)) {
    throw new UsageError(
      `${urlSource} is ${JSON.stringify(url)}; it must be like http://127.0.0.1:8080/base/path`,
    );
  }
  return { origin: new URL(origin), basePath: basePath.replace(/\/+$/, '') };
}
