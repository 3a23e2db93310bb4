import { stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DoctorCheck } from './doctor-check.ts';
import { error, ok, warning } from './finding.ts';

const mebibyte = 1024 * 1024;
const freeBytes = { error: 100 * mebibyte, warning: 1024 * mebibyte };

/** Compares the free space with the database's needs. */
export const checkDiskSpace: DoctorCheck = {
  name: 'disk space',
  async run({ inspection, settings }) {
    const folder = resolve(settings.data);
    if (inspection.engine === 'postgres') {
      return [ok("the disk of PostgreSQL cannot be seen from here; watch it on the database's machine")];
    }
    const free = await freeBytesOf(folder).catch((cause: Error) => cause);
    if (free instanceof Error) {
      const advice =
        'name the data folder of the server with --data, and run the doctor as the user of the server';
      return [error(`the free space of ${folder} is unknown: ${free.message}`, advice)];
    }
    const used = await bytesOf(
      inspection.location,
      `${inspection.location}-wal`,
      join(folder, 'fieldroster-bookkeeping.db'),
    );
    const found = `${inMebibytes(free)} free in ${folder}, and the database has ${inMebibytes(used)}`;
    const advice = 'make room: without it, writes are refused with code 1503';
    if (free < freeBytes.error) return [error(found, advice)];
    if (free < freeBytes.warning || free < used) {
      return [warning(found, `${advice}; a backup beside the database needs as much as the database`)];
    }
    return [ok(found)];
  },
};

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
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
