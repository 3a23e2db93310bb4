import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeMasterKey } from '../../applications/master-key/decode-master-key.ts';
import { advise, type TranslatedFinding, tell, warning } from './finding.ts';

/** A key in hexadecimal and a line end. */
const keyFileBytesMax = 66;

/**
 * Reports files in the folder of the backups that look like a master key, whatever their names: anyone who gets hold of the
 * folder could open the secrets in its backups. The data folder has its keys in any case; a check of the settings asks for
 * another folder.
 */
export async function findKeysAmongBackups(folder: string, data: string): Promise<TranslatedFinding[]> {
  if (folder === data) return [];
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const findings: TranslatedFinding[] = [];
  for (const file of files) {
    if (!(await mayHoldKey(file))) continue;
    const message = `${file} looks like a master key, beside the backups whose secrets it may open; a SHA-256 digest alone looks the same`;
    const advice = 'if it is a key, move that file to where keys are kept, apart from the backups';
    findings.push(
      warning(tell(message, 'keyAmongBackups', { file }), advise(advice, 'moveKeyFromBackups', {})),
    );
  }
  return findings;
}

async function mayHoldKey(file: string): Promise<boolean> {
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
