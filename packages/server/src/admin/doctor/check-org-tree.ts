import type { DoctorCheck } from './doctor-check.ts';
import { error, listExamples, ok } from './finding.ts';

/** Looks for organizations that are above themselves. */
export const checkOrgTree: DoctorCheck = {
  name: 'organizations',
  async run({ inspection }) {
    const cycles = await inspection.findOrgCycles();
    if (cycles.count === 0) return [ok('the organizations form trees')];
    const message = `${cycles.count} organizations are above themselves, or below such ones: ${listExamples(cycles)}`;
    return [
      error(
        message,
        'give one organization of each cycle another parent: PUT /org, or fieldroster org import',
      ),
    ];
  },
};
