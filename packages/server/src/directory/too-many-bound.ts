import { limits } from '@fieldroster/contract';
import { counted } from './counted.ts';

/**
 * Returns why a role, an organization or a store cannot be removed while users are bound to it; `undefined` if it can.
 *
 * @param force whether the caller wants the users unbound, which one call does for a limited number
 */
export function tooManyBound(name: string, users: number, force: boolean): string | undefined {
  if (users === 0) return undefined;
  const { forcedUnbindsMax } = limits;
  const found = `${name} has ${counted(users, 'user')}`;
  if (!force) return `${found}; unbind them first, or send force=true`;
  if (users <= forcedUnbindsMax) return undefined;
  return `${found}; force=true unbinds at most ${forcedUnbindsMax}: unbind or move others first, such as by POST /users/batch`;
}
