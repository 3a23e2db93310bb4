import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { TenantRecord } from '../../database/database.ts';
import { counted } from '../../words/counted.ts';
import { quoteForShell } from '../../words/quote-for-shell.ts';
import { type FoundBackup, findNewestBackup, isSameTenant } from '../backup/find-newest-backup.ts';
import type { DoctorCheck, DoctorContext, LastBackup } from './doctor-check.ts';
import { examineErasureList } from './examine-erasure-list.ts';
import { findKeysAmongBackups } from './find-keys-among-backups.ts';
import {
  adviceUnlessClosed,
  advise,
  error,
  note,
  ok,
  type TranslatedFinding,
  tell,
  warning,
} from './finding.ts';

const oldAfterMs = 48 * 3_600_000;

/** More than the clocks of nodes differ, in milliseconds. */
const farAheadMs = 3_600_000;

/**
 * Checks the age of the last backup, and the list that a restore applies. Backups by other programs are unknown here.
 */
export const checkBackup: DoctorCheck = {
  name: 'backup',
  async *run(context) {
    yield* await examineErasureList(context);
    const { recorded, damage } = await readRecorded(context);
    const { found, gaps } = await lookIntoFolder(context, recorded);
    yield* gaps;
    const [own] = found;
    if (damage === undefined) yield* describe(recorded, own, context);
    else if (own === undefined) throw damage;
    else yield* found.map((newest) => describeUnsure(newest, context));
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
  /** The newest backup of this database; of each database in the folder if this one cannot be read. */
  readonly found: readonly FoundBackup[];
  /** Findings about the folder or files that the search could not read. */
  readonly gaps: readonly TranslatedFinding[];
}

/**
 * Looks into the folder of the settings, or else into that of the last known backup, which may be on another machine.
 */
async function lookIntoFolder(context: DoctorContext, recorded: LastBackup | undefined): Promise<LookedInto> {
  const { backupFolder, settings } = context;
  const folder = backupFolder === '' ? recorded && dirname(recorded.file) : resolve(backupFolder);
  if (folder === undefined) return { found: [], gaps: [] };
  const isOwn = await recognizeDatabase(context);
  try {
    const found: FoundBackup[] = [];
    const isWanted = (tenant: TenantRecord) =>
      isOwn?.(tenant) ?? !found.some(({ firstTenant }) => isSameTenant(firstTenant, tenant));
    let { newest, unreadable } = await findNewestBackup(folder, isWanted, latestOf(context));
    while (newest !== undefined && found.push(newest) < databasesMax && isOwn === undefined)
      ({ newest } = await findNewestBackup(folder, isWanted, latestOf(context)));
    if (settings.backupEveryMs > 0) await access(folder, constants.W_OK);
    return {
      found,
      gaps: [
        ...describeUnreadable(unreadable),
        ...(await findKeysAmongBackups(folder, resolve(settings.data))),
      ],
    };
  } catch (cause) {
    return {
      found: [],
      gaps: backupFolder === '' ? [] : [describeUnusable(folder, cause as Error, context)],
    };
  }
}

/** Limits the findings about a folder that many databases share. */
const databasesMax = 5;

function describeUnreadable([first, ...others]: readonly string[]): TranslatedFinding[] {
  if (first === undefined) return [];
  const said = `this user may not read ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
  return [
    note(
      tell(`${said}, which may be a newer backup`, 'backupUnread', { file: first, more: others.length }),
      advise('run the doctor as the user who makes the backups', 'asBackupUser', {}),
    ),
  ];
}

/** Returns a function that tells whether a backup is of this database, or nothing if the database cannot be read. */
async function recognizeDatabase({
  inspection,
}: DoctorContext): Promise<((firstTenant: TenantRecord) => boolean) | undefined> {
  try {
    const own = await inspection.firstTenant();
    return (tenant) => isSameTenant(own, tenant);
  } catch (cause) {
    if (inspection.damageIn(cause) === undefined) throw cause;
    return undefined;
  }
}

/** Says in words why a folder cannot be used, by the system's error code. */
const reasons: Readonly<Record<string, (cause: NodeJS.ErrnoException) => string>> = {
  ENOENT: () => 'it does not exist',
  ENOTDIR: () => 'it is not a folder',
  EACCES: ({ syscall }) => `this user may not ${syscall === 'access' ? 'write' : 'read'} it`,
};

function describeUnusable(
  folder: string,
  cause: NodeJS.ErrnoException,
  { settings }: DoctorContext,
): TranslatedFinding {
  const message = reasons[cause.code ?? '']?.(cause) ?? cause.message;
  const [find, use] = settings.backupEveryMs > 0 ? [error, 'used'] : [warning, 'read'];
  return find(
    tell(`the folder of the backups ${folder} cannot be ${use}: ${message}`, 'backupFolder', {
      folder,
      reason: message,
    }),
    adviceUnlessClosed(
      folder,
      advise(
        'create it, name the right one with --backup-to, or run the doctor as the user of the server',
        'nameBackupFolder',
        {},
      ),
    ),
  );
}

function* describe(
  recorded: LastBackup | undefined,
  found: FoundBackup | undefined,
  context: DoctorContext,
): Generator<TranslatedFinding> {
  const isFoundLater = found !== undefined && isLater(found, recorded, context);
  if (isFoundLater) yield describeFound(found, context);
  // Alerts on the age of backups know only the recorded one.
  if (!isFoundLater || (recorded !== undefined && isAhead(recorded, context)))
    yield describeRecorded(recorded, context);
}

function describeRecorded(recorded: LastBackup | undefined, context: DoctorContext): TranslatedFinding {
  if (recorded === undefined) {
    return note(
      tell('no backup is known', 'noBackup', {}),
      advise(
        'make one, unless another program does, with: fieldroster backup --verify --to FILE',
        'makeFirstBackup',
        {},
      ),
    );
  }
  if (isAhead(recorded, context)) return warning(tellAhead('last verified', recorded), afterWrongClock);
  const age = ageOf(recorded, context);
  const { file } = recorded;
  const told = tell(`the last backup is ${inWords(age)} old: ${file}`, 'lastBackup', { ...age, file });
  return isOld(recorded, context) ? warning(told, adviceOnAge) : ok(told);
}

const adviceOnAge = advise('make one now, and find out why there is no newer one', 'makeBackup', {});

function describeFound(found: FoundBackup, context: DoctorContext): TranslatedFinding {
  if (isAhead(found, context)) return warning(tellAhead('last', found), afterWrongClock);
  const { file } = found;
  const age = ageOf(found, context);
  const said = `the last backup is ${inWords(age)} old: ${file}; there is no record that it can be restored`;
  return adviseToVerify(tell(said, 'backupFound', { ...age, file }), found, context);
}

/** Other databases may have their backups in the same folder, and only a database that can be read tells which is its own. */
function describeUnsure(found: FoundBackup, context: DoctorContext): TranslatedFinding {
  if (isAhead(found, context)) return warning(tellAhead('newest', found), afterWrongClock);
  const { file } = found;
  const age = ageOf(found, context);
  const { name: tenant, createdAtMs } = found.firstTenant;
  const whose = `the database whose first tenant '${tenant}' was created at ${new Date(createdAtMs).toISOString()}`;
  const said = `the newest backup of ${whose} is ${inWords(age)} old: ${file}; the check cannot tell whether it is a backup of this database, or whether it can be restored`;
  return adviseToVerify(
    tell(said, 'backupUnsure', { ...age, file, tenant, createdAt: createdAtMs }),
    found,
    context,
  );
}

function adviseToVerify(
  told: ReturnType<typeof tell>,
  found: FoundBackup,
  context: DoctorContext,
): TranslatedFinding {
  const file = quoteForShell(found.file);
  const advice = `find out with: fieldroster backup verify ${file}`;
  if (!isOld(found, context)) return note(told, advise(advice, 'verifyBackup', { file, isOld: false }));
  const then = `${advice}; then ${adviceOnAge.text}`;
  return warning(told, advise(then, 'verifyBackup', { file, isOld: true }));
}

const afterWrongClock = advise(
  'set the clock if it is wrong; unless the database is damaged, make a backup now: fieldroster backup --verify --to FILE',
  'backUpAfterClock',
  {},
);

function tellAhead(
  which: 'last' | 'last verified' | 'newest',
  { atMs, file }: Dated & { readonly file: string },
) {
  const said = `the ${which} backup is dated ${new Date(atMs).toISOString()}, in the future: ${file}; a clock was ahead, or this one is behind`;
  return tell(said, 'backupInFuture', { at: atMs, file, verified: which === 'last verified' });
}

interface Dated {
  /** The moment that the backup shows, in Unix milliseconds. */
  readonly atMs: number;
}

/** A backup dated by a clock that was ahead says nothing about its age, so that any other counts as later. */
function isLater(found: Dated, recorded: Dated | undefined, context: DoctorContext): boolean {
  if (recorded === undefined) return true;
  const isFoundAhead = isAhead(found, context);
  return isFoundAhead === isAhead(recorded, context) ? found.atMs > recorded.atMs : !isFoundAhead;
}

function isAhead({ atMs }: Dated, context: DoctorContext): boolean {
  return atMs > latestOf(context);
}

function latestOf({ now }: DoctorContext): number {
  return now() + farAheadMs;
}

function isOld({ atMs }: Dated, { now }: DoctorContext): boolean {
  return now() - atMs > oldAfterMs;
}

interface Age {
  readonly hours: number;
  readonly minutes: number;
}

/** A backup dated a little ahead is as good as new. */
function ageOf({ atMs }: Dated, { now }: DoctorContext): Age {
  const ageMs = Math.max(0, now() - atMs);
  return { hours: Math.round(ageMs / 3_600_000), minutes: Math.round(ageMs / 60_000) };
}

function inWords({ hours, minutes }: Age): string {
  if (minutes >= 120) return `${hours} hours`;
  return counted(minutes, 'minute');
}
