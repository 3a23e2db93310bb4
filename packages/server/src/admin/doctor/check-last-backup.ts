import type { DoctorCheck } from './doctor-check.ts';
import { note, ok, warning } from './finding.ts';

const oldAfterMs = 48 * 3_600_000;

/** Checks the age of the last backup. Backups by other programs are unknown here. */
export const checkLastBackup: DoctorCheck = {
  name: 'backup',
  async run({ findLastBackup, now }) {
    const last = await findLastBackup();
    if (last === undefined) {
      return [note('no backup is known', 'make one, unless another program does: see docs/backup.md')];
    }
    const hours = Math.round((now() - last.atMs) / 3_600_000);
    const found = `the last backup is ${hours} hours old: ${last.file}`;
    if (now() - last.atMs <= oldAfterMs) return [ok(found)];
    return [warning(found, 'make one now, and find out why the scheduled one failed')];
  },
};
