import { join, resolve } from 'node:path';
import { erasureFile, readErasureFile } from '../backup/erasure-file.ts';
import type { DoctorContext } from './doctor-check.ts';
import {
  adviceUnlessClosed,
  advise,
  asServerUser,
  error,
  type TranslatedFinding,
  tell,
  warning,
} from './finding.ts';

/** Finds a list of erasures that would stop a restore, and to which `user erase` could not add anybody. */
export async function examineErasureList({
  settings,
}: Pick<DoctorContext, 'settings'>): Promise<TranslatedFinding[]> {
  const folder = resolve(settings.data);
  try {
    await readErasureFile(join(folder, erasureFile));
    return [];
  } catch (cause) {
    const { message, cause: reason } = cause as Error;
    if ((reason as NodeJS.ErrnoException | undefined)?.code === 'EACCES') {
      const unknown = `cannot tell whether a restore could apply the list of erasures: ${message}`;
      const advice = adviceUnlessClosed(folder, asServerUser);
      return [warning(tell(unknown, 'erasuresUnknown', { reason: message }), advice)];
    }
    return [
      error(
        tell(`a restore could not apply the list of erasures: ${message}`, 'erasuresUnusable', {
          reason: message,
        }),
        advise(
          `replace it with another copy, such as the ${erasureFile} beside the backups`,
          'replaceErasures',
          { file: erasureFile },
        ),
      ),
    ];
  }
}
