import { counted } from '../../words/counted.ts';
import { repairAdvice } from './check-schema.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { inEnglish, listExamples } from './finding.ts';

/** Compares the index that finds users by a part of their texts with the users themselves. */
export const checkUserSearch: DoctorCheck = {
  name: 'user search',
  slow: true,
  async run({ inspection }) {
    const faults = await inspection.findSearchFaults();
    // On PostgreSQL, searches without the index find the same.
    if (faults.count > 0 && inspection.engine === 'sqlite')
      return [inEnglish('note', 'not compared with the users, because parts are missing', repairAdvice.text)];
    const differences = await inspection.findSearchDifferences();
    if (differences.count === 0) return [inEnglish('ok', 'searches find every user')];
    const message = `searches miss users: ${counted(differences.count, 'difference')} (${listExamples(differences)})`;
    return [inEnglish('error', message, repairAdvice.text)];
  },
};
