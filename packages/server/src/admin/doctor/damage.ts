import type { Inspection } from '../../database/database.ts';
import { error, type Finding, warning } from './finding.ts';

/** What to do about damaged data of an engine. */
export const damageAdvice: Readonly<Record<Inspection['engine'], string>> = {
  sqlite:
    'stop the server; if somebody moved or replaced the file, put the right one back; otherwise keep the data folder as it is, and restore the last backup into a new one: see "A damaged database" in docs/runbook.md',
  postgres:
    'run pg_amcheck, rebuild indexes with REINDEX, restore the last backup for damaged tables, then check the disk: see "A damaged database" in docs/runbook.md',
};

/** @param said what the engine says, such as "is damaged (file is not a database)" */
export function describeDamage({ engine, location }: Inspection, said: string): Finding {
  return error(`the database ${location} ${said}`, damageAdvice[engine]);
}

/** Lists the checks that a database prevented because it is damaged or could not be opened. */
export function describeUnmadeChecks(names: readonly string[]): Finding {
  const message = `because of that, these checks could not be made: ${names.join(', ')}`;
  return warning(message, 'run the doctor again once the database can be read');
}
