import { useSearch } from '@tanstack/react-router';
import { readUserSearch, type UserSearch } from './user-search.ts';

/** Returns the filters of the list, and nothing else of the address. */
export function useUserSearch(): UserSearch {
  return useSearch({
    from: '/inside/t/$tenant/users',
    select: (search) => readUserSearch({ ...search }),
    structuralSharing: true,
  });
}
