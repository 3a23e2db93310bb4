import { join, resolve } from 'node:path';
import { erasureFile, readErasureFile } from '../backup/erasure-file.ts';
import type { DoctorContext } from './doctor-check.ts';
import { error, type Finding, warning } from './finding.ts';

/** Finds a list of erasures that would stop a restore, and to which `user erase` could not add anybody. */
export async function examineErasureList({ settings }: Pick<DoctorContext, 'settings'>): Promise<Finding[]> {
  try {
    await readErasureFile(join(resolve(settings.data), erasureFile));
    return [];
  } catch (cause) {
    const { message, cause: reason } = cause as Error;
    if ((reason as NodeJS.ErrnoException | undefined)?.code === 'EACCES') {
      const unknown = `whether a restore could apply the list of erasures is unknown: ${message}`;
      return [warning(unknown, 'run the doctor as the user of the server')];
    }
    return [
      error(
        `a restore could not apply the list of erasures: ${message}`,
        `replace it by another copy, such as the ${erasureFile} beside the backups`,
      ),
    ];
  }
}
