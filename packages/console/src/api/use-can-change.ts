import { useSession } from './session.ts';

/**
 * Returns whether the operator may change the data of the tenants that the console shows. The server decides; this only
 * hides what it would refuse.
 */
export function useCanChange(): boolean {
  return useSession().operator.role !== 'viewer';
}
