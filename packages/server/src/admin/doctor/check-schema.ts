import type { DoctorCheck } from './doctor-check.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** Compares the tables with this release, and the database's own settings with what durability needs. */
export const checkSchema: DoctorCheck = {
  name: 'schema',
  async run({ inspection }) {
    const { pending, newer } = await inspection.schema();
    const findings: Finding[] = [];
    if (newer.length > 0) {
      const message = `the tables were changed by a newer release (${newer.join(', ')})`;
      findings.push(warning(message, 'finish the upgrade or the rollback: run one release on all nodes'));
    }
    if (pending.length > 0 && newer.length === 0) {
      findings.push(error(`the tables lack ${pending.join(', ')}`, 'run: fieldroster migrate'));
    }
    for (const { name, value, wanted } of await inspection.engineSettings()) {
      if (value === wanted) continue;
      const message = `the database runs with ${name} ${value}, so a power cut can lose acknowledged writes`;
      findings.push(warning(message, `set ${name} to ${wanted} and restart the database`));
    }
    return findings.length > 0 ? findings : [ok('the tables are those of this release')];
  },
};
