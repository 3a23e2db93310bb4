import { useNavigate } from '@tanstack/react-router';

/**
 * Returns a function that changes filters in the address. An empty value removes its filter. It replaces the entry in the
 * history, so that going back leaves the list.
 */
export function useFilterChange<Search extends object>(search: Search) {
  const navigate = useNavigate();
  return (part: Partial<Record<keyof Search, string | number | null>>) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== null && value !== '');
    navigate({ to: '.', search: Object.fromEntries(next), replace: true });
  };
}
