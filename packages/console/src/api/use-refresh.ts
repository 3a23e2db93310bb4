import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * Returns a function that has data of the directory read again after a change, and the audit with it, to which every
 * change adds. It takes the first part of each query key.
 */
export function useRefresh(): (...keys: readonly string[]) => void {
  const client = useQueryClient();
  return useCallback(
    (...keys) => {
      for (const key of [...keys, 'audit']) client.invalidateQueries({ queryKey: [key] });
    },
    [client],
  );
}
