import { damageAdvice } from './damage.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { inEnglish, listExamples } from './finding.ts';

/** Looks for damaged pages and indexes. */
export const checkIntegrity: DoctorCheck = {
  name: 'integrity',
  slow: true,
  async run({ inspection }) {
    const damage = await inspection.findDamage();
    if (damage.count === 0) {
      return [
        inspection.engine === 'sqlite'
          ? inEnglish('ok', 'integrity_check finds no damage')
          : inEnglish(
              'ok',
              'PostgreSQL reports no failed checksum, no invalid and (where amcheck is installed) no damaged index',
            ),
      ];
    }
    return [
      inEnglish(
        'error',
        `the database is damaged: ${listExamples(damage)}`,
        damageAdvice[inspection.engine].text,
      ),
    ];
  },
};
