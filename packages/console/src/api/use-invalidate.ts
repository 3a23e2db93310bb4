import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * Returns a function that marks queries as stale after a change, so that those on the page load again. It takes the
 * first part of each query key, and adds the audit, because every change writes to it.
 */
export function useInvalidate(): (...keys: readonly string[]) => void {
  const client = useQueryClient();
  return useCallback(
    (...keys) => {
      for (const key of [...keys, 'audit']) client.invalidateQueries({ queryKey: [key] });
    },
    [client],
  );
}
