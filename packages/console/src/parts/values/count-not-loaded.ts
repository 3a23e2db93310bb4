interface Loaded {
  readonly count: number;
  readonly isMore: boolean;
}

/** Returns how many rows of a list are not loaded; `some` if they have not been counted, or not to their end. */
export function countNotLoaded(loaded: Loaded, total: Loaded | undefined): number | 'some' {
  if (!loaded.isMore) return 0;
  return total === undefined || total.isMore || total.count <= loaded.count
    ? 'some'
    : total.count - loaded.count;
}
