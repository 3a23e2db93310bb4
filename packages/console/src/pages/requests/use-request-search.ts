import { useSearch } from '@tanstack/react-router';
import { type RequestSearch, readRequestSearch } from './request-search.ts';

/** Returns the filters of the list, and nothing else of the address. */
export function useRequestSearch(): RequestSearch {
  return useSearch({
    from: '/inside/t/$tenant/requests',
    select: (search) => readRequestSearch({ ...search }),
    structuralSharing: true,
  });
}
