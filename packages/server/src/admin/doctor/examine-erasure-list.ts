import { join, resolve } from 'node:path';
import { erasureFile, readErasureFile } from '../backup/erasure-file.ts';
import type { DoctorContext } from './doctor-check.ts';
import { error, type Finding } from './finding.ts';

/** Finds a list of erasures that would stop a restore, and to which `user erase` could not add anybody. */
export async function examineErasureList({ settings }: Pick<DoctorContext, 'settings'>): Promise<Finding[]> {
  try {
    await readErasureFile(join(resolve(settings.data), erasureFile));
    return [];
  } catch (cause) {
    return [
      error(
        `a restore could not apply the list of erasures: ${(cause as Error).message}`,
        `replace it by another copy, such as the ${erasureFile} beside the backups`,
      ),
    ];
  }
}
