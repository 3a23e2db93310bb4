import type { DoctorCheck } from './doctor-check.ts';
import { error, listExamples, ok } from './finding.ts';

/** Looks for rows, such as bindings, that refer to missing users, roles, organizations or stores. */
export const checkOrphans: DoctorCheck = {
  name: 'orphans',
  slow: true,
  async run({ inspection }) {
    const orphans = await inspection.findOrphans();
    if (orphans.length === 0) return [ok('every binding, user and secret refers to something that exists')];
    const advice = 'restore a backup, or remove these rows with the database stopped';
    return orphans.map(({ reference, ...faults }) =>
      error(`${reference}: ${faults.count} rows (${listExamples(faults)})`, advice),
    );
  },
};
