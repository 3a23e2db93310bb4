import { counted } from '../../words/counted.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { inEnglish, listExamples } from './finding.ts';

/** Asks the engine for references that it knows to be broken. */
export const checkForeignKeys: DoctorCheck = {
  name: 'foreign keys',
  slow: true,
  async run({ inspection }) {
    const broken = await inspection.findBrokenForeignKeys();
    if (broken.count === 0) return [inEnglish('ok', 'every foreign key holds')];
    return [
      inEnglish(
        'error',
        `${counted(broken.count, 'foreign key')} ${broken.count === 1 ? 'does' : 'do'} not hold: ${listExamples(broken)}`,
        adviceOn[inspection.engine],
      ),
    ];
  },
};

const adviceOn = {
  sqlite: 'something other than Fieldroster changed the tables: restore a backup, or remove these rows',
  postgres:
    'triggers were switched off, as by an interrupted pg_restore --disable-triggers: run fieldroster migrate, which enforces those again that no row breaks; for the others, see the orphans',
} as const;
