import { resolve } from 'node:path';
import { listScheduledBackups, type ScheduledBackup } from '../backup/scheduled-backups.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { examineErasureList } from './examine-erasure-list.ts';
import { type Finding, note, ok, warning } from './finding.ts';

const oldAfterMs = 48 * 3_600_000;

/** Checks the age of the last backup, and the list that a restore applies. Backups by other programs are unknown here. */
export const checkLastBackup: DoctorCheck = {
  name: 'backup',
  async *run(context) {
    yield* await examineErasureList(context);
    yield await examineAge(context);
  },
};

async function examineAge(context: DoctorContext): Promise<Finding> {
  const { findLastBackup, now } = context;
  let last: Awaited<ReturnType<typeof findLastBackup>>;
  try {
    last = await findLastBackup();
  } catch (cause) {
    return findInFolder(context, cause);
  }
  if (last === undefined) {
    return note(
      'no backup is known',
      'make one, unless another program does, with: fieldroster backup --verify --to FILE',
    );
  }
  const found = `the last backup is ${ageOf(last.atMs, now)} old: ${last.file}`;
  if (now() - last.atMs <= oldAfterMs) return ok(found);
  return warning(found, adviceOnAge);
}

const adviceOnAge = 'make one now, and find out why the scheduled one failed';

/** A damaged or absent database does not say which backup was the last, but the folder of the scheduled ones may. */
function findInFolder({ inspection, backupFolder, now }: DoctorContext, cause: unknown): Finding {
  if (inspection.damageIn(cause) === undefined) throw cause;
  const newest = findNewest(backupFolder);
  if (newest === undefined) throw cause;
  const found = `the newest scheduled backup is ${ageOf(newest.atMs, now)} old: ${newest.file}`;
  const advice = `see whether it can be restored, with: fieldroster backup verify ${newest.file}`;
  return now() - newest.atMs <= oldAfterMs ? note(found, advice) : warning(found, advice);
}

function findNewest(folder: string): ScheduledBackup | undefined {
  if (folder === '') return undefined;
  try {
    return listScheduledBackups(resolve(folder)).at(-1);
  } catch {
    // The folder is missing or closed to this user. What is wrong with the database matters more.
    return undefined;
  }
}

function ageOf(atMs: number, now: () => number): string {
  const hours = Math.round((now() - atMs) / 3_600_000);
  return hours === 1 ? '1 hour' : `${hours} hours`;
}
