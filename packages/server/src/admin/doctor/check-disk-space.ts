import { stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import {
  adviceOnDataFolder,
  adviceOnFullDisk,
  adviceUnlessClosed,
  advise,
  asServerUser,
  error,
  note,
  ok,
  type TranslatedFinding,
  tell,
  warning,
} from './finding.ts';

const mebibyte = 1024 * 1024;
const freeBytes = { error: 100 * mebibyte, warning: 1024 * mebibyte };

/**
 * How much room a verified backup of the embedded database needs while it is made, as a multiple of the database:
 * a copy of it, the database restored from the backup, and the log of that.
 */
const roomOfBackup = 3;

/** Checks that the disks of the data folder and of the backups have enough free space. */
export const checkDiskSpace: DoctorCheck = {
  name: 'disk space',
  async *run(context) {
    yield await checkData(context);
    yield* await checkBackups(context);
  },
};

async function checkData({ backupFolder, inspection, settings }: DoctorContext): Promise<TranslatedFinding> {
  const folder = resolve(settings.data);
  if (inspection.engine === 'postgres')
    return ok(
      tell(
        "the disk of PostgreSQL cannot be seen from here; watch it on the database's machine",
        'diskUnseen',
        {},
      ),
    );
  const free = await freeBytesOf(folder).catch((cause: Error) => cause);
  if (free instanceof Error)
    return error(
      tell(`the free space of ${folder} is unknown: ${free.message}`, 'freeUnknown', {
        folder,
        reason: free.message,
      }),
      adviceUnlessClosed(folder, adviceOnDataFolder),
    );
  const used = await bytesOfDatabase(inspection.location, folder);
  if (used === undefined) return describeUnseen(folder, free);
  const hasBackups = backupFolder !== '' && (await areOnOneDisk(resolve(backupFolder), folder));
  const needed = hasBackups ? roomOfBackup * used : used;
  const [freeMebibytes, usedMebibytes] = [freeMebibytesOf(free), inMebibytes(used)];
  const found = tell(
    `${sizeOf(freeMebibytes)} free in ${folder}, and the database takes ${sizeOf(usedMebibytes)}`,
    'free',
    { folder, freeMebibytes, usedMebibytes },
  );
  if (free < freeBytes.error) return error(found, adviceOnFullDisk);
  if (free < freeBytes.warning || free < needed) {
    const advice = `${adviceOnFullDisk.text}; making a backup on this disk needs up to ${roomOfBackup} times the database`;
    return warning(found, advise(advice, 'makeRoomForBackup', { times: roomOfBackup }));
  }
  return ok(found);
}

/** The free space still tells whether writes are about to fail. */
function describeUnseen(folder: string, free: number): TranslatedFinding {
  const freeMebibytes = freeMebibytesOf(free);
  const found = tell(
    `${sizeOf(freeMebibytes)} free in ${folder}; this user cannot see how much the database takes`,
    'free',
    { folder, freeMebibytes },
  );
  if (free < freeBytes.error) return error(found, adviceOnFullDisk);
  return free < freeBytes.warning ? warning(found, adviceOnFullDisk) : note(found, asServerUser);
}

/**
 * Checks the disk of the backups unless the database is on it too. The check of the last backup reports a folder that
 * cannot be read.
 */
async function checkBackups({
  backupFolder,
  inspection,
  settings,
}: DoctorContext): Promise<TranslatedFinding[]> {
  const [folder, data] = [resolve(backupFolder), resolve(settings.data)];
  const isEmbedded = inspection.engine === 'sqlite';
  if (backupFolder === '' || (isEmbedded && (await areOnOneDisk(folder, data)))) return [];
  const free = await freeBytesOf(folder).catch(() => undefined);
  if (free === undefined) return [];
  const seen = isEmbedded ? await bytesOfDatabase(inspection.location, data) : undefined;
  const used = seen ?? 0;
  const neededMebibytes = inMebibytes(roomOfBackup * used);
  const needs = seen !== undefined ? `; making one needs up to ${sizeOf(neededMebibytes)}` : '';
  const freeMebibytes = freeMebibytesOf(free);
  const found = tell(
    `${sizeOf(freeMebibytes)} free in ${folder}, where backups are made${needs}`,
    'freeForBackups',
    { folder, freeMebibytes, ...(seen !== undefined && { neededMebibytes }) },
  );
  const advice = advise(
    'make room, or keep fewer backups with --backup-keep: without room, none can be made',
    'keepFewerBackups',
    {},
  );
  if (free < freeBytes.error || free < used) return [error(found, advice)];
  return [free < freeBytes.warning || free < roomOfBackup * used ? warning(found, advice) : ok(found)];
}

async function areOnOneDisk(folder: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([folder, other].map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && one.dev === two?.dev;
}

async function freeBytesOf(folder: string): Promise<number> {
  // For a file, statfs returns the free space of its disk, although no database fits below a file.
  if (!(await stat(folder)).isDirectory()) throw new Error('it is not a folder');
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Returns nothing if this user may not look into the folder. */
function bytesOfDatabase(location: string, folder: string): Promise<number | undefined> {
  return bytesOf(location, `${location}-wal`, join(folder, 'fieldroster-bookkeeping.db'));
}

async function bytesOf(...paths: readonly string[]): Promise<number | undefined> {
  const sizes = paths.map((path) =>
    stat(path).then(
      ({ size }) => size,
      ({ code }: NodeJS.ErrnoException) => (code === 'EACCES' ? undefined : 0),
    ),
  );
  return (await Promise.all(sizes)).reduce(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}

/** Rounds free space down, so that nobody counts on what is not there. */
function freeMebibytesOf(bytes: number): number {
  return Math.floor(bytes / mebibyte);
}

/** Rounds space that something takes up. */
function inMebibytes(bytes: number): number {
  return Math.ceil(bytes / mebibyte);
}

/** Returns a size in the unit that keeps it readable. */
function sizeOf(mebibytes: number): string {
  return mebibytes < 10 * 1024 ? `${mebibytes} MiB` : `${Math.round(mebibytes / 1024)} GiB`;
}
