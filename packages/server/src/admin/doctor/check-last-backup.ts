import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type FoundBackup, findNewestBackup } from '../backup/find-newest-backup.ts';
import type { DoctorCheck, DoctorContext, LastBackup } from './doctor-check.ts';
import { examineErasureList } from './examine-erasure-list.ts';
import { error, type Finding, note, ok, warning } from './finding.ts';

const oldAfterMs = 48 * 3_600_000;

/** Checks the age of the last backup, and the list that a restore applies. Backups by other programs are unknown here. */
export const checkLastBackup: DoctorCheck = {
  name: 'backup',
  async *run(context) {
    yield* await examineErasureList(context);
    const { recorded, damage } = await readRecorded(context);
    const { found, gaps } = await lookIntoFolder(context, recorded);
    yield* gaps;
    if (damage === undefined) yield describe(recorded, found, context);
    else if (found !== undefined) yield describeFound('newest', found, context);
    else throw damage;
  },
};

interface Recorded {
  readonly recorded?: LastBackup | undefined;
  /** Why the record cannot be read from a damaged or absent database. The folder of the backups may still show one. */
  readonly damage?: unknown;
}

async function readRecorded({ findLastBackup, inspection }: DoctorContext): Promise<Recorded> {
  try {
    return { recorded: await findLastBackup() };
  } catch (cause) {
    if (inspection.damageIn(cause) === undefined) throw cause;
    return { damage: cause };
  }
}

interface LookedInto {
  readonly found?: FoundBackup | undefined;
  /** Findings about the folder or files that the search could not read. */
  readonly gaps: readonly Finding[];
}

/**
 * Looks into the folder of the settings, or else into that of the last known backup, which may be on another machine.
 */
async function lookIntoFolder(context: DoctorContext, recorded: LastBackup | undefined): Promise<LookedInto> {
  const { backupFolder, settings } = context;
  const folder = backupFolder === '' ? recorded && dirname(recorded.file) : resolve(backupFolder);
  if (folder === undefined) return { gaps: [] };
  const isWanted = await recognizeDatabase(context);
  try {
    const { newest, unreadable } = await findNewestBackup(folder, isWanted);
    if (settings.backupEveryMs > 0) await access(folder, constants.W_OK);
    return { found: newest, gaps: describeUnreadable(unreadable) };
  } catch (cause) {
    return { gaps: backupFolder === '' ? [] : [describeUnusable(folder, cause as Error, context)] };
  }
}

function describeUnreadable([first, ...others]: readonly string[]): Finding[] {
  if (first === undefined) return [];
  const said = `this user may not read ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
  return [note(`${said}, which may be a newer backup`, 'run the doctor as the user who makes the backups')];
}

/**
 * Returns a function that tells whether a backup is of this database. It accepts every backup if the database cannot be
 * read.
 */
async function recognizeDatabase({
  inspection,
}: DoctorContext): Promise<Parameters<typeof findNewestBackup>[1]> {
  try {
    const own = await inspection.firstTenant();
    return ({ id, name, createdAtMs }) =>
      own?.id === id && own.name === name && own.createdAtMs === createdAtMs;
  } catch (cause) {
    if (inspection.damageIn(cause) === undefined) throw cause;
    return () => true;
  }
}

function describeUnusable(folder: string, { message }: Error, { settings }: DoctorContext): Finding {
  const [find, use] = settings.backupEveryMs > 0 ? [error, 'used'] : [warning, 'read'];
  return find(
    `the folder of the backups ${folder} cannot be ${use}: ${message}`,
    'create it, name the right one with --backup-to, or run the doctor as the user of the server',
  );
}

function describe(
  recorded: LastBackup | undefined,
  found: FoundBackup | undefined,
  context: DoctorContext,
): Finding {
  if (found !== undefined && found.atMs > (recorded?.atMs ?? 0)) return describeFound('last', found, context);
  if (recorded === undefined) {
    return note(
      'no backup is known',
      'make one, unless another program does, with: fieldroster backup --verify --to FILE',
    );
  }
  const said = `the last backup is ${ageOf(recorded, context)} old: ${recorded.file}`;
  return isOld(recorded, context) ? warning(said, adviceOnAge) : ok(said);
}

const adviceOnAge = 'make one now, and find out why there is no newer one';

function describeFound(which: 'last' | 'newest', found: FoundBackup, context: DoctorContext): Finding {
  const { file } = found;
  const said = `the ${which} backup is ${ageOf(found, context)} old: ${file}; whether it can be restored is not known`;
  const advice = `find out with: fieldroster backup verify ${file}`;
  return isOld(found, context) ? warning(said, `${advice}; then ${adviceOnAge}`) : note(said, advice);
}

function isOld({ atMs }: { readonly atMs: number }, { now }: DoctorContext): boolean {
  return now() - atMs > oldAfterMs;
}

function ageOf({ atMs }: { readonly atMs: number }, { now }: DoctorContext): string {
  const hours = Math.round((now() - atMs) / 3_600_000);
  return hours === 1 ? '1 hour' : `${hours} hours`;
}
