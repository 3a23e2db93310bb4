import { counted } from '../../words/counted.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { inEnglish, listExamples } from './finding.ts';

/** Looks for rows that refer to something missing, such as bindings of missing users or access to missing tenants. */
export const checkOrphans: DoctorCheck = {
  name: 'orphans',
  slow: true,
  async run({ inspection }) {
    const orphans = await inspection.findOrphans();
    if (orphans.length === 0) {
      return [inEnglish('ok', 'every binding, user, secret and operator refers to something that exists')];
    }
    return orphans.map(({ reference, isRecord, ...faults }) => {
      const message = `${reference}: ${counted(faults.count, 'row')} (${listExamples(faults)})`;
      return isRecord ? inEnglish('warning', message, adviceOnRecords) : inEnglish('error', message, advice);
    });
  },
};

const advice = 'restore a backup, or remove these rows with the database stopped';

const adviceOnRecords =
  'something other than Fieldroster removed what they refer to: find out what; the rows themselves do no harm, and may stay';
