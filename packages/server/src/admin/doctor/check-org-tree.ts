import type { DoctorCheck } from './doctor-check.ts';
import { advise, error, listExamples, ok, tell } from './finding.ts';

/** Looks for organizations that are above themselves. */
export const checkOrgTree: DoctorCheck = {
  name: 'organizations',
  async run({ inspection }) {
    const cycles = await inspection.findOrgCycles();
    if (cycles.count === 0) return [ok(tell('the organizations form trees', 'orgsFormTrees', {}))];
    const examples = listExamples(cycles);
    const message = `${cycles.count} organizations are above themselves, or below such ones: ${examples}`;
    return [error(tell(message, 'orgCycles', { count: cycles.count, examples }), adviceOnCycles)];
  },
};

const adviceOnCycles = advise(
  'give one organization of each cycle another parent: PUT /org, or fieldroster org import',
  'breakCycle',
  {},
);
