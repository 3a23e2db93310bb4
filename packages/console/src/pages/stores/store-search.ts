/** The filters of the list of stores, as they are in the address. */
export interface StoreSearch {
  readonly search?: string;
  /** Only stores that nobody looks after. */
  readonly unassigned?: true;
}

/** Reads the filters from an address, and leaves out invalid ones. */
export function readStoreSearch({ search, unassigned }: Record<string, unknown>): StoreSearch {
  const text = typeof search === 'string' || typeof search === 'number' ? String(search) : '';
  return { ...(text !== '' && { search: text }), ...(unassigned === true && { unassigned }) };
}
