import { refusesUnknownParameters } from '@fieldroster/contract';
import type { QueryParameter } from '@fieldroster/signing';
import { ApiError } from '../../../errors/api-error.ts';
import type { OperationInput } from './operation-input.ts';

/** What is left of `&amp;` before a name once the query has been split at its ampersands. */
const escapedAmpersand = 'amp;';

/**
 * Makes the check that throws 1001 for a query that was escaped for HTML: `?user_id=1&amp;store_code=2`. The original
 * operations overlook unknown parameters, so they refuse it only if they have none of their own parameters.
 */
export function escapedAmpersandRefuser(
  operation: OperationInput,
): (parameters: readonly QueryParameter[]) => void {
  const known = new Set(Object.keys(operation.query?.properties ?? {}));
  const isStrict = refusesUnknownParameters(operation);
  return (parameters) => {
    const found = parameters.find(({ name }) => known.has(unescaped(name)) && !known.has(name));
    if (found === undefined || (!isStrict && parameters.some(({ name }) => known.has(name)))) return;
    throw new ApiError(
      1001,
      `the query has ${JSON.stringify(escapedAmpersand + unescaped(found.name))}, because the URL has &amp; in place of &; send & alone`,
    );
  };
}

/** Takes off every escape, because some templates escape twice. */
function unescaped(name: string): string {
  let start = 0;
  while (name.startsWith(escapedAmpersand, start)) start += escapedAmpersand.length;
  return name.slice(start);
}
