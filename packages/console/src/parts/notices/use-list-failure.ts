import { useState } from 'react';
import { hasNothingToShow } from './has-nothing-to-show.ts';

interface PagesQuery {
  readonly data: unknown;
  readonly error: Error | null;
  readonly isFetchNextPageError: boolean;
}

interface ListFailure {
  /** Takes the place of the list. */
  readonly failure: Error | null;
  /** Follows the list: its next page could not be loaded. */
  readonly pageFailure: Error | null;
}

/** Tells a refused list from a refused next page, which leaves the pages before it as they are. */
export function useListFailure(query: PagesQuery): ListFailure {
  const { error, isFetchNextPageError } = query;
  const [pageFailure, setPageFailure] = useState<Error | null>(null);
  if (isFetchNextPageError && error !== pageFailure) setPageFailure(error);
  // While the pages before are loaded again, the query keeps the error but no longer says where it belongs.
  const isOfPage = isFetchNextPageError || (error !== null && error === pageFailure);
  if (isOfPage) return { failure: null, pageFailure: error };
  return { failure: hasNothingToShow(query) ? error : null, pageFailure: null };
}
