import { useNavigate } from '@tanstack/react-router';

type Part<Search> = Partial<Record<keyof Search, string | number | boolean | null>>;

/**
 * Returns a function that changes filters in the address. An empty value removes its filter. It replaces the entry in the
 * history, so that going back leaves the list. It starts from the address of the moment: the page may not yet show the
 * filter that was changed just before.
 *
 * @param read the filters in an address
 */
export function useFilterChange<Search extends object>(read: (search: Record<string, unknown>) => Search) {
  const navigate = useNavigate();
  return (part: Part<Search>) => {
    const change = (before: Record<string, unknown>) => {
      const next = Object.entries({ ...read({ ...before }), ...part });
      return Object.fromEntries(next.filter(([, value]) => value !== null && value !== ''));
    };
    navigate({ to: '.', search: change, replace: true });
  };
}
