import { SettingError, type Settings } from '../../config.ts';

/** @throws {SettingError} when only one of --backup-every and --backup-to is set */
export function requireBackupFolder({
  backupEveryMs,
  backupTo,
}: Pick<Settings, 'backupEveryMs' | 'backupTo'>): void {
  if (backupEveryMs > 0 === (backupTo !== '')) return;
  throw new SettingError(
    backupEveryMs > 0
      ? '--backup-every needs the folder of the backups; name it with --backup-to or FIELDROSTER_BACKUP_TO'
      : '--backup-to needs the time between backups; set it with --backup-every or FIELDROSTER_BACKUP_EVERY',
  );
}
