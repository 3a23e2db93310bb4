import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * Returns a function that marks queries as stale after a change, so that those on the page load again. It takes the
 * first part of each query key, and adds the audit and the overview's numbers, which every change may alter.
 */
export function useInvalidate(): (...keys: readonly string[]) => void {
  const client = useQueryClient();
  return useCallback(
    (...keys) => {
      for (const key of [...keys, 'audit', 'health']) client.invalidateQueries({ queryKey: [key] });
    },
    [client],
  );
}
