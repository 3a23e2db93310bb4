import type { DoctorCheck } from './doctor-check.ts';
import { advise, error, listExamples, ok, tell } from './finding.ts';

/** Compares accepted writes with audit rows, for the minutes for which accepted writes are on record. */
export const checkClaims: DoctorCheck = {
  name: 'audit',
  async run({ inspection }) {
    const { claims: writes, ...missing } = await inspection.findClaimsWithoutAudit();
    if (missing.count === 0) {
      const message = `each of the ${writes} accepted writes on record has its audit row`;
      return [ok(tell(message, 'writesAudited', { writes }))];
    }
    const examples = listExamples(missing);
    const message = `${missing.count} of ${writes} accepted writes have no audit row: ${examples}`;
    return [error(tell(message, 'writesNotAudited', { count: missing.count, writes, examples }), advice)];
  },
};

const advice = advise(
  'somebody removed audit rows, or the database lost them: keep a copy of it, and restore a backup',
  'keepForAudit',
  {},
);
