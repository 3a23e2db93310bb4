import type { Settings } from '../config.ts';
import { whyNoBackupFolder } from './backup/backup-folder.ts';

/**
 * Describes faults with which a server starts all the same: a setting that it ignores, or one that it cannot carry out
 * yet. A setting whose value is not known causes no warning.
 */
export function settingWarnings(settings: Partial<Settings>): readonly string[] {
  const unused = flagsWithoutDatabase(settings).map((flag) => `${flagProblem(flag)}; ${flagAdvice(flag)}`);
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

export function flagProblem(flag: string): string {
  return `${flag} is set, but there is no --database for it`;
}

export function flagAdvice(flag: string): string {
  return `set --database, or remove ${flag}`;
}
