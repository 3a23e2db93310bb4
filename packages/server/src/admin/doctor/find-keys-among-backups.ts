import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeMasterKey } from '../../applications/master-key/decode-master-key.ts';
import { advise, type TranslatedFinding, tell, warning } from './finding.ts';

/** A key in hexadecimal and a line end. */
const keyFileBytesMax = 66;

/**
 * Reports files in the folder of the backups that contain a master key, whatever their names: anyone who gets hold of the
 * folder could open the secrets in its backups. The data folder has its keys in any case; a check of the settings asks for
 * another folder.
 */
export async function findKeysAmongBackups(folder: string, data: string): Promise<TranslatedFinding[]> {
  if (folder === data) return [];
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const held = await Promise.all(files.map(holdsKey));
  return files
    .filter((_, index) => held[index])
    .map((file) =>
      warning(
        tell(
          `${file} contains a master key, beside the backups whose secrets it may open`,
          'keyAmongBackups',
          {
            file,
          },
        ),
        advise('move that file to where keys are kept, apart from the backups', 'moveKeyFromBackups', {}),
      ),
    );
}

async function holdsKey(file: string): Promise<boolean> {
  try {
    const found = await stat(file);
    // Opening a pipe would wait for ever.
    if (!found.isFile() || found.size > keyFileBytesMax) return false;
    decodeMasterKey(await readFile(file, 'utf8'), file);
    return true;
  } catch {
    return false;
  }
}
