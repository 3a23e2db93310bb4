import type { Settings } from '../config.ts';
import { whyNoBackupFolder } from './backup/backup-folder.ts';

/**
 * Says what is wrong with settings although a server starts with them: it ignores a setting, or cannot do yet what one
 * asks for. A setting whose value is not known causes no warning.
 */
export function settingWarnings(settings: Partial<Settings>): readonly string[] {
  const unused = flagsWithoutDatabase(settings).map((flag) => `${saidOfFlag(flag)}; ${adviceOnFlag(flag)}`);
  const noFolder = settings.backupTo ? whyNoBackupFolder(settings.backupTo) : undefined;
  return [...unused, ...(noFolder === undefined ? [] : [noFolder])];
}

/** Returns the flags that are set for PostgreSQL while the server uses the embedded database. */
export function flagsWithoutDatabase({
  database,
  databaseReplica,
  databaseInsecure,
}: Partial<Settings>): readonly string[] {
  if (database !== '') return [];
  return [
    ...(databaseReplica ? ['--database-replica'] : []),
    ...(databaseInsecure ? ['--database-insecure'] : []),
  ];
}

export function saidOfFlag(flag: string): string {
  return `${flag} is set, but there is no --database for it`;
}

export function adviceOnFlag(flag: string): string {
  return `set --database, or remove ${flag}`;
}
