import { ApiError } from '../errors/api-error.ts';
import type { ConsoleCall } from './console-call.ts';

/**
 * Refuses a change that another site's page could have sent. The cookie is `SameSite=Strict`; this check covers
 * browsers that do not know that attribute, and pages on other ports of this host.
 *
 * @throws {ApiError} 1605
 */
export function requireOwnPage({ method, origin, ownOrigin, consoleHeader }: ConsoleCall): void {
  if (method === 'GET') return;
  if (consoleHeader !== '1') {
    throw new ApiError(
      1605,
      'a change needs the header X-Fieldroster-Console: 1, which only the console sends',
    );
  }
  if (origin === ownOrigin) return;
  const values = { sent: origin?.slice(0, 200) ?? '', own: ownOrigin };
  throw new ApiError(1605, { key: 'otherOrigin', values });
}
