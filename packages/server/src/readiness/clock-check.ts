import { type Claims, clockDifferenceLimits } from '../database/database.ts';
import type { ReadinessCheck } from './readiness-check.ts';

const problem = `this node's clock differs from the database's by more than ${clockDifferenceLimits.readyMs / 1000} seconds; set it by NTP`;

/**
 * Checks this node's clock. A node whose clock is far off refuses requests that others accept, so it should get none.
 */
export function clockCheck(claims: Pick<Claims, 'clockDifferenceMs'>): ReadinessCheck {
  return {
    name: 'clock',
    scope: 'node',
    async probe() {
      const differenceMs = claims.clockDifferenceMs() ?? 0;
      return Math.abs(differenceMs) > clockDifferenceLimits.readyMs ? problem : undefined;
    },
  };
}
