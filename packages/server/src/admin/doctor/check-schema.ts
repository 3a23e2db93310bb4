import type { Inspection } from '../../database/database.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { advise, error, listExamples, note, ok, type TranslatedFinding, tell, warning } from './finding.ts';

/** Advice about an order of changes or a search index that is out of step with the users. */
export const repairAdvice = advise(
  'run: fieldroster migrate, which recreates it and its triggers',
  'makeAgain',
  {},
);

/** Compares the tables with this release, and the database's own settings with what durability needs. */
export const checkSchema: DoctorCheck = {
  name: 'schema',
  async *run({ inspection }) {
    const closed = await examineRights(inspection);
    yield* closed;
    // Examine the search first: if its index cannot be opened, the migrations cannot be compared.
    const findings = await examineSearch(inspection);
    yield* findings;
    const others = [
      ...(await compareMigrations(inspection)),
      ...(await examineParts(inspection)),
      ...(await examineEngineSettings(inspection)),
    ];
    yield* others;
    if (closed.length + findings.length + others.length === 0)
      yield ok(tell('the tables are those of this release', 'tablesKnown', {}));
  },
};

async function examineRights({ findClosedTables }: Inspection): Promise<TranslatedFinding[]> {
  const closed = await findClosedTables();
  if (closed.count === 0) return [];
  const examples = listExamples(closed);
  return [
    error(
      tell(`the role of this connection cannot use every table: ${examples}`, 'tablesClosed', { examples }),
      advise(
        'connect as the role that owns the tables, or grant the rights to this role and disable row level security',
        'openTables',
        {},
      ),
    ),
  ];
}

async function compareMigrations(inspection: Inspection): Promise<TranslatedFinding[]> {
  const { pending, newer, servable } = await inspection.schema();
  if (newer.length > 0) {
    const migrations = newer.join(', ');
    const message = `the tables were changed by a newer release (${migrations})`;
    if (servable) return [warning(tell(message, 'tablesNewer', { migrations, servable }), finishUpgrade)];
    const refused = `${message}, and this release cannot serve them`;
    return [error(tell(refused, 'tablesNewer', { migrations, servable }), adviceOnNewer)];
  }
  if (pending.length === 0) return [];
  const migrations = pending.join(', ');
  return [
    error(
      tell(`the tables lack ${migrations}`, 'tablesOlder', { migrations }),
      advise('run: fieldroster migrate', 'migrate', {}),
    ),
  ];
}

const finishUpgrade = advise(
  'finish the upgrade or the rollback: run one release on all nodes',
  'finishUpgrade',
  {},
);

const adviceOnNewer = advise(
  'start the newer release, or restore a backup from before the change',
  'startNewer',
  {},
);

async function examineParts(inspection: Inspection): Promise<TranslatedFinding[]> {
  const findings: TranslatedFinding[] = [];
  const missing = await inspection.findMissingParts();
  if (missing.count > 0) {
    const { engine } = inspection;
    const examples = listExamples(missing);
    findings.push(
      error(
        tell(`the tables lack ${examples}`, 'partsMissing', { examples }),
        advise(adviceOnParts[engine], 'restoreParts', { engine }),
      ),
    );
  }
  const silent = await inspection.findSilentTriggers();
  if (silent.count > 0) {
    const examples = listExamples(silent);
    const message = `the order of changes is not kept up to date, because of the triggers of user: ${examples}`;
    findings.push(error(tell(message, 'orderNotKept', { examples }), repairAdvice));
  }
  return findings;
}

async function examineEngineSettings(inspection: Inspection): Promise<TranslatedFinding[]> {
  const settings = await inspection.engineSettings();
  return settings
    .filter(({ value, wanted }) => value !== wanted)
    .map(({ name, value, wanted }) => {
      const message = `the database runs with ${name} ${value}, so a power cut can lose acknowledged writes`;
      return warning(
        tell(message, 'engineSetting', { name, value }),
        advise(`set ${name} to ${wanted} and restart the database`, 'setEngine', { name, wanted }),
      );
    });
}

async function examineSearch({ engine, findSearchFaults }: Inspection): Promise<TranslatedFinding[]> {
  const faults = await findSearchFaults();
  if (faults.count === 0) return [];
  const examples = listExamples(faults);
  if (engine === 'sqlite') {
    const message = `the index of the user search is not kept up to date: ${examples}`;
    return [error(tell(message, 'searchNotKept', { examples }), repairAdvice)];
  }
  const advice = advise(
    'if that is too slow, add the extension pg_trgm and the index: see docs/scaling.md',
    'addTrigrams',
    {},
  );
  return [note(tell(`searches read every user: ${examples}`, 'searchSlow', { examples }), advice)];
}

/** Advice about parts that are missing although every migration ran. */
const adviceOnParts: Readonly<Record<Inspection['engine'], string>> = {
  sqlite:
    'something other than Fieldroster removed them: fieldroster migrate recreates indexes; for tables, restore a backup',
  postgres:
    'a restore did not finish, or something other than Fieldroster removed them: restore again, into an empty database',
};
