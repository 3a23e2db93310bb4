import type { DoctorCheck } from './doctor-check.ts';
import { error, type Finding, listExamples, ok, warning } from './finding.ts';

/** What to do about an order of changes that was not kept. */
export const repairAdvice = 'run: fieldroster migrate, which makes the order and its triggers again';

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
    const silent = await inspection.findSilentTriggers();
    if (silent.count > 0) {
      const message = `the order of changes is not kept: of the triggers of user, ${listExamples(silent)}`;
      findings.push(error(message, repairAdvice));
    }
    for (const { name, value, wanted } of await inspection.engineSettings()) {
      if (value === wanted) continue;
      const message = `the database runs with ${name} ${value}, so a power cut can lose acknowledged writes`;
      findings.push(warning(message, `set ${name} to ${wanted} and restart the database`));
    }
    return findings.length > 0 ? findings : [ok('the tables are those of this release')];
  },
};
