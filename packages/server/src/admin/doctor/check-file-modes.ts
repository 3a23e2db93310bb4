import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { masterKeyFile, previousKeyFile } from '../../applications/master-key/key-places.ts';
import { quoteForShell } from '../../words/quote-for-shell.ts';
import type { DoctorCheck } from './doctor-check.ts';
import {
  adviceOnDataFolder,
  adviceUnlessClosed,
  advise,
  error,
  note,
  ok,
  type TranslatedFinding,
  tell,
  warning,
} from './finding.ts';

const everybody = 0o007;
const group = 0o070;
const othersWrite = 0o002;

const files = [
  'fieldroster.db',
  'fieldroster.db-wal',
  'fieldroster.db-shm',
  'fieldroster-bookkeeping.db',
  'fieldroster-bookkeeping.db-wal',
  'fieldroster-bookkeeping.db-shm',
  masterKeyFile,
  previousKeyFile,
];

/**
 * Finds files of the data folder that other users may read: they hold password hashes and the master key. In a folder
 * that they may write into, others can also replace the key, the database or a backup.
 */
export const checkFileModes: DoctorCheck = {
  name: 'file modes',
  async run({ inspection, settings, backupFolder }) {
    if (process.platform === 'win32') return [ok(tell('this system has no file modes', 'noFileModes', {}))];
    const folder = resolve(settings.data);
    const folderMode = await modeOf(folder, 'folder');
    const findings = await openFolders([folder, ...(backupFolder === '' ? [] : [resolve(backupFolder)])]);
    for (const name of files) {
      const path = join(folder, name);
      const mode = await modeOf(path, 'file');
      if (mode === undefined || (mode & (everybody | group)) === 0) continue;
      const toEverybody = (mode & everybody) !== 0;
      const who = toEverybody ? 'any user of this machine' : `the group of ${path}`;
      const message = `${path} has mode ${inOctal(mode)}: ${who} may use it`;
      // No other user can open files in a private folder.
      const closed = folderMode !== undefined && (folderMode & (everybody | group)) === 0;
      const find = toEverybody && !closed ? error : warning;
      const values = { path, mode: inOctal(mode), toEverybody };
      findings.push(
        find(
          tell(message, 'fileOpen', values),
          advise(`run: chmod 600 ${quoteForShell(path)}`, 'closeFile', { path: quoteForShell(path) }),
        ),
      );
    }
    if (findings.length > 0) return findings;
    if (folderMode !== undefined) {
      return [ok(tell(`only the owner may read the files in ${folder}`, 'filesClosed', { folder }))];
    }
    const message = tell(`there is no folder ${folder}, or this user may not see it`, 'noFolder', { folder });
    // With PostgreSQL, a server needs no data folder if it is given its key.
    return [
      inspection.engine === 'postgres'
        ? ok(message)
        : note(message, adviceUnlessClosed(folder, adviceOnDataFolder)),
    ];
  },
};

/** Reports folders that every user may write into. A group may be meant to write, as on some volumes. */
async function openFolders(folders: readonly string[]): Promise<TranslatedFinding[]> {
  const findings: TranslatedFinding[] = [];
  for (const path of new Set(folders)) {
    const mode = await modeOf(path, 'folder');
    if (mode === undefined || (mode & othersWrite) === 0) continue;
    const message = `${path} has mode ${inOctal(mode)}: any user of this machine may replace the files in it`;
    findings.push(
      error(
        tell(message, 'folderOpen', { path, mode: inOctal(mode) }),
        advise(`run: chmod o-w ${path}`, 'closeFolder', { path }),
      ),
    );
  }
  return findings;
}

/** Returns the permissions, or `undefined` where there is nothing of this kind. */
async function modeOf(path: string, kind: 'file' | 'folder'): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isDirectory() !== (kind === 'folder')) return undefined;
  return found.mode & 0o777;
}

function inOctal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
