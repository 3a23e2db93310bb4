import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { type MakeBackup, requireBackupFolder, type Settings } from '@fieldroster/server';

/**
 * Returns what makes scheduled backups: this program's `backup` command, in a process of its own. Its memory and its
 * work stay away from requests.
 *
 * @throws {SettingError} when the settings of backups contradict each other
 */
export function scheduledBackup(settings: Settings): MakeBackup {
  requireBackupFolder(settings);
  return async (file, signal) => {
    const program = process.argv[1] ?? '';
    const args = [...process.execArgv, program, 'backup', '--verify', '--to', file];
    const child = spawn(process.execPath, args, {
      env: environmentOf(settings),
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    lowerPriority(child.pid);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4_000);
    });
    const [exitCode] = await once(child, 'close');
    if (exitCode !== 0) throw new Error(errors.trim() || `the backup ended with ${exitCode}`);
  };
}

/** Process lists show flags, so the database's URL goes into the environment. A backup needs no master key. */
function environmentOf({ data, database, databaseInsecure }: Settings): NodeJS.ProcessEnv {
  const {
    FIELDROSTER_MASTER_KEY: _key,
    FIELDROSTER_MASTER_KEY_FILE: _keyFile,
    FIELDROSTER_DATABASE_URL_FILE: _urlFile,
    ...rest
  } = process.env;
  return {
    ...rest,
    FIELDROSTER_DATA: data,
    FIELDROSTER_DATABASE_URL: database,
    FIELDROSTER_DATABASE_INSECURE: databaseInsecure ? 'yes' : 'no',
  };
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
