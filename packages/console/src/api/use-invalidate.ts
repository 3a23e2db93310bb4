import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * Returns a function that marks queries as stale after a change, so that those on the page load again. It takes the
 * first part of each query key, and adds the audit and the overview's numbers, which every change may alter.
 */
export function useInvalidate(): (...keys: readonly string[]) => void {
  const client = useQueryClient();
  return useCallback(
    (...keys) => {
      for (const queryKey of [...keys, 'audit', 'health'].map((key) => [key])) {
        client.invalidateQueries({ queryKey });
        // The library waits for an answer that is under way, which may be older than the change.
        for (const query of client.getQueryCache().findAll({ queryKey, predicate: loadsForTheFirstTime }))
          query
            .cancel({ revert: true })
            .then(() => client.invalidateQueries({ queryKey: query.queryKey, exact: true }));
      }
    },
    [client],
  );
}

function loadsForTheFirstTime({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus !== 'idle';
}
