import { useCallback } from 'react';
import { assignmentKeys } from '../../../api/stale-keys.ts';
import { useInvalidate } from '../../../api/use-invalidate.ts';

/** Returns a function that marks everything as stale that an import may have changed. */
export function useInvalidateDirectory(): () => void {
  const invalidate = useInvalidate();
  return useCallback(() => invalidate(...assignmentKeys, 'store', 'orgs', 'roles'), [invalidate]);
}
