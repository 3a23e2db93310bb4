import { withoutIgnorable } from './invisible-character.ts';

/** Whether two names of tenants look the same: they differ only in code points. */
export function areTwins(one: string, other: string): boolean {
  return one !== other && withoutIgnorable(one).normalize() === withoutIgnorable(other).normalize();
}
