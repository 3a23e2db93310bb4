import { UnreachableError } from '../../api/call.ts';

/**
 * Returns whether a failure takes the place of what a query has loaded. While the server does not answer, the page says
 * so above and keeps what it shows; a refusal may mean that the operator must not see it any more.
 */
export function hasNothingToShow({
  data,
  error,
}: {
  readonly data: unknown;
  readonly error: Error | null;
}): boolean {
  return error !== null && (data === undefined || !(error instanceof UnreachableError));
}
