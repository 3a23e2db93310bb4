import { useCallback } from 'react';
import { useInvalidate } from '../../../api/use-invalidate.ts';

/** Returns a function that marks everything as stale that an import may have changed. */
export function useInvalidateDirectory(): () => void {
  const invalidate = useInvalidate();
  return useCallback(
    () => invalidate('users', 'user', 'user-stores', 'store-users', 'store', 'stores', 'orgs', 'roles'),
    [invalidate],
  );
}
