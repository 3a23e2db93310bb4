import { counted } from '../../words/counted.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { advise, error, listExamples, ok, tell } from './finding.ts';

/** Compares accepted writes with audit rows, for the minutes for which accepted writes are on record. */
export const checkAudit: DoctorCheck = {
  name: 'audit',
  async run({ inspection }) {
    const { claims: writes, ...missing } = await inspection.findClaimsWithoutAudit();
    if (missing.count === 0) return [ok(tell(sayAudited(writes), 'writesAudited', { writes }))];
    const examples = listExamples(missing);
    const message = `${missing.count} of ${counted(writes, 'accepted write')} ${missing.count === 1 ? 'has' : 'have'} no audit row: ${examples}`;
    return [error(tell(message, 'writesNotAudited', { count: missing.count, writes, examples }), advice)];
  },
};

function sayAudited(writes: number): string {
  if (writes === 0) return 'no accepted write is on record now, so there is nothing to compare';
  return writes === 1
    ? 'the one accepted write on record has its audit row'
    : `each of the ${writes} accepted writes on record has its audit row`;
}

const advice = advise(
  'somebody removed audit rows, or the database lost them: keep a copy of it, and restore a backup',
  'keepForAudit',
  {},
);
