import { counted } from '../../words/counted.ts';
import { repairAdvice } from './check-schema.ts';
import { damageAdvice } from './damage.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { inEnglish, listExamples } from './finding.ts';

/** Compares the order in which lists by change return users with the users themselves. */
export const checkChangeOrder: DoctorCheck = {
  name: 'change order',
  slow: true,
  async run({ inspection }) {
    const faults = await inspection.findChangeOrderFaults();
    if (faults.count === 0)
      return [inEnglish('ok', 'lists by change return every user at the time of the last change')];
    const message = `lists by change (updated_since) miss users or return them at a wrong time: ${counted(faults.count, 'difference')} (${listExamples(faults)})`;
    return [
      inEnglish('error', message, (inspection.engine === 'sqlite' ? damageAdvice.sqlite : repairAdvice).text),
    ];
  },
};
