import { useSearch } from '@tanstack/react-router';
import { readStoreSearch, type StoreSearch } from './store-search.ts';

/** Returns the filters of the list, and nothing else of the address. */
export function useStoreSearch(): StoreSearch {
  return useSearch({
    from: '/inside/t/$tenant/stores',
    select: (search) => readStoreSearch({ ...search }),
    structuralSharing: true,
  });
}
