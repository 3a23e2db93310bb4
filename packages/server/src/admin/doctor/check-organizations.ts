import { counted } from '../../words/counted.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { advise, error, listExamples, ok, tell } from './finding.ts';

/** Looks for cycles in the tree of organizations. */
export const checkOrganizations: DoctorCheck = {
  name: 'organizations',
  async run({ inspection }) {
    const cycles = await inspection.findOrgCycles();
    if (cycles.count === 0) return [ok(tell('the organizations form trees', 'orgsFormTrees', {}))];
    const examples = listExamples(cycles);
    const message = `${counted(cycles.count, 'organization')} ${cycles.count === 1 ? 'is' : 'are'} in a cycle or below one: ${examples}`;
    return [error(tell(message, 'orgCycles', { count: cycles.count, examples }), adviceOnCycles)];
  },
};

const adviceOnCycles = advise(
  'give one organization of each cycle another parent: PUT /org, or fieldroster org import',
  'breakCycle',
  {},
);
