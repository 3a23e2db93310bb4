import { damageAdvice } from './damage.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { error, listExamples, ok } from './finding.ts';

/** Looks for damaged pages and indexes. */
export const checkIntegrity: DoctorCheck = {
  name: 'integrity',
  slow: true,
  async run({ inspection }) {
    const damage = await inspection.findDamage();
    if (damage.count === 0) {
      return [
        inspection.engine === 'sqlite'
          ? ok('integrity_check finds no damage')
          : ok(
              'PostgreSQL reports no failed checksum, no invalid and (where amcheck is installed) no damaged index',
            ),
      ];
    }
    return [error(`the database is damaged: ${listExamples(damage)}`, damageAdvice[inspection.engine])];
  },
};
