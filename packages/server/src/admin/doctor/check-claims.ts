import type { DoctorCheck } from './doctor-check.ts';
import { error, listExamples, ok } from './finding.ts';

/** Compares accepted writes with audit rows, for the minutes for which accepted writes are on record. */
export const checkClaims: DoctorCheck = {
  name: 'audit',
  async run({ inspection }) {
    const { claims, ...missing } = await inspection.findClaimsWithoutAudit();
    if (missing.count === 0) return [ok(`each of the ${claims} accepted writes on record has its audit row`)];
    const message = `${missing.count} of ${claims} accepted writes have no audit row: ${listExamples(missing)}`;
    return [
      error(
        message,
        'somebody removed audit rows, or the database lost them: keep a copy of it, and restore a backup',
      ),
    ];
  },
};
