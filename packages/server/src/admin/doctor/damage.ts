import type { UnmadeCheck } from '@fieldroster/contract/console';
import type { Inspection } from '../../database/database.ts';
import { advise, error, listChecks, type TranslatedFinding, tell, warning } from './finding.ts';

/** Advice about damaged data, by engine. */
export const damageAdvice = {
  sqlite: advise(
    'if the file was deleted while a server runs on it, do not stop that server yet: it still has every write; otherwise stop it; if somebody moved or replaced the file, put the right one back, or else keep the data folder as it is and restore the last backup into a new one: see "A damaged database" in docs/runbook.md',
    'repairDamage',
    { engine: 'sqlite' },
  ),
  postgres: advise(
    'run pg_amcheck, rebuild indexes with REINDEX, restore the last backup for damaged tables, then check the disk: see "A damaged database" in docs/runbook.md',
    'repairDamage',
    { engine: 'postgres' },
  ),
};

/** @param said what the engine says, such as "is damaged (file is not a database)" */
export function describeDamage({ engine, location }: Inspection, said: string): TranslatedFinding {
  return error(
    tell(`the database ${location} ${said}`, 'damaged', { location, reason: said }),
    damageAdvice[engine],
  );
}

/** Lists the checks that a database prevented because it is damaged or could not be opened. */
export function describeUnmadeChecks(checks: readonly UnmadeCheck[]): TranslatedFinding {
  const message = `because of that, these checks could not be made: ${listChecks(checks)}`;
  return warning(
    tell(message, 'unmade', { checks }),
    advise('run the doctor again once the database can be read', 'runAgainWhenReadable', {}),
  );
}
