import { stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { adviceOnDataFolder, error, type Finding, ok, warning } from './finding.ts';

const mebibyte = 1024 * 1024;
const freeBytes = { error: 100 * mebibyte, warning: 1024 * mebibyte };

/** Compares the free space of the data folder's disk, and of another one with the backups, with what they need. */
export const checkDiskSpace: DoctorCheck = {
  name: 'disk space',
  async *run(context) {
    yield await checkData(context);
    yield* await checkBackups(context);
  },
};

async function checkData({ inspection, settings }: DoctorContext): Promise<Finding> {
  const folder = resolve(settings.data);
  if (inspection.engine === 'postgres')
    return ok("the disk of PostgreSQL cannot be seen from here; watch it on the database's machine");
  const free = await freeBytesOf(folder).catch((cause: Error) => cause);
  if (free instanceof Error)
    return error(`the free space of ${folder} is unknown: ${free.message}`, adviceOnDataFolder);
  const used = await bytesOfDatabase(inspection.location, folder);
  const found = `${inMebibytes(free)} free in ${folder}, and the database has ${inMebibytes(used)}`;
  const advice = 'make room: without it, writes are refused with code 1503';
  if (free < freeBytes.error) return error(found, advice);
  if (free < freeBytes.warning || free < used)
    return warning(found, `${advice}; a backup beside the database needs as much as the database`);
  return ok(found);
}

/** The check of the last backup reports a folder that cannot be read. */
async function checkBackups({ backupFolder, inspection, settings }: DoctorContext): Promise<Finding[]> {
  const [folder, data] = [resolve(backupFolder), resolve(settings.data)];
  if (backupFolder === '' || (await isOnDiskOfDatabase(folder, data, inspection.engine))) return [];
  const free = await freeBytesOf(folder).catch(() => undefined);
  if (free === undefined) return [];
  const isEmbedded = inspection.engine === 'sqlite';
  // A backup of the embedded database begins with a copy of it in the same folder.
  const needed = isEmbedded ? await bytesOfDatabase(inspection.location, data) : 0;
  const found =
    `${inMebibytes(free)} free in ${folder}, where backups are made` +
    (isEmbedded ? `; one needs up to ${inMebibytes(2 * needed)} for the time that it takes` : '');
  const advice = 'make room, or keep fewer backups with --backup-keep: without room, none can be made';
  if (free < freeBytes.error || free < needed) return [error(found, advice)];
  return [free < freeBytes.warning || free < 2 * needed ? warning(found, advice) : ok(found)];
}

async function isOnDiskOfDatabase(folder: string, data: string, engine: string): Promise<boolean> {
  if (engine === 'postgres') return false;
  const [one, other] = await Promise.all([folder, data].map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && one.dev === other?.dev;
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function bytesOfDatabase(location: string, folder: string): Promise<number> {
  return bytesOf(location, `${location}-wal`, join(folder, 'fieldroster-bookkeeping.db'));
}

async function bytesOf(...paths: readonly string[]): Promise<number> {
  const sizes = paths.map((path) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`;
}
