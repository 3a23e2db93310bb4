import type { Inspection } from '../../database/database.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { error, type Finding, listExamples, note, ok, warning } from './finding.ts';

/** What to do about an order of changes or a search index that is out of step with the users. */
export const repairAdvice = 'run: fieldroster migrate, which makes it and its triggers again';

/** Compares the tables with this release, and the database's own settings with what durability needs. */
export const checkSchema: DoctorCheck = {
  name: 'schema',
  async *run({ inspection }) {
    // Examine the search first: if its index cannot be opened, the migrations cannot be compared.
    const findings = await examineSearch(inspection);
    yield* findings;
    const others = [
      ...(await compareMigrations(inspection)),
      ...(await examineParts(inspection)),
      ...(await examineEngineSettings(inspection)),
    ];
    yield* others;
    if (findings.length + others.length === 0) yield ok('the tables are those of this release');
  },
};

async function compareMigrations(inspection: Inspection): Promise<Finding[]> {
  const { pending, newer, servable } = await inspection.schema();
  if (newer.length > 0) {
    const message = `the tables were changed by a newer release (${newer.join(', ')})`;
    if (!servable) return [error(`${message}, and this release cannot serve them`, adviceOnNewer)];
    return [warning(message, 'finish the upgrade or the rollback: run one release on all nodes')];
  }
  return pending.length > 0
    ? [error(`the tables lack ${pending.join(', ')}`, 'run: fieldroster migrate')]
    : [];
}

const adviceOnNewer = 'start the newer release, or restore a backup from before the change';

async function examineParts(inspection: Inspection): Promise<Finding[]> {
  const findings: Finding[] = [];
  const missing = await inspection.findMissingParts();
  if (missing.count > 0)
    findings.push(error(`the tables lack ${listExamples(missing)}`, adviceOnParts[inspection.engine]));
  const silent = await inspection.findSilentTriggers();
  if (silent.count > 0) {
    const message = `the order of changes is not kept: of the triggers of user, ${listExamples(silent)}`;
    findings.push(error(message, repairAdvice));
  }
  return findings;
}

async function examineEngineSettings(inspection: Inspection): Promise<Finding[]> {
  const settings = await inspection.engineSettings();
  return settings
    .filter(({ value, wanted }) => value !== wanted)
    .map(({ name, value, wanted }) => {
      const message = `the database runs with ${name} ${value}, so a power cut can lose acknowledged writes`;
      return warning(message, `set ${name} to ${wanted} and restart the database`);
    });
}

async function examineSearch({ engine, findSearchFaults }: Inspection): Promise<Finding[]> {
  const faults = await findSearchFaults();
  if (faults.count === 0) return [];
  if (engine === 'sqlite')
    return [error(`the search of users is not kept: ${listExamples(faults)}`, repairAdvice)];
  const advice = 'if that is too slow, add the extension pg_trgm and the index: see docs/scaling.md';
  return [note(`searches read every user: ${listExamples(faults)}`, advice)];
}

/** What to do about parts that are missing although every migration ran. */
const adviceOnParts: Readonly<Record<Inspection['engine'], string>> = {
  sqlite:
    'something other than Fieldroster removed them: indexes are made again by fieldroster migrate; for tables, restore a backup',
  postgres:
    'a restore did not end, or something other than Fieldroster removed them: restore again, into an empty database',
};
