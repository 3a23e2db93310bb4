import { useSession } from './session.ts';

/**
 * Returns whether the operator may change data of the tenants that it sees. The server decides; this hides what it
 * refuses.
 */
export function useCanChange(): boolean {
  return useSession().operator.role !== 'viewer';
}
