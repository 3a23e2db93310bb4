import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { limits } from '@fieldroster/contract';
import type { SecretVault } from '../../applications/secret-vault.ts';
import type { CopySession } from '../../database/copy-session.ts';
import type { ErasedCounts, Erasure } from '../../database/database.ts';
import { hashKeySetting, keyProofSettings } from '../../database/database.ts';
import { skipPastBackup } from '../../database/queries/backups/skip-past-backup.ts';
import { eraseAllFailedCalls } from '../../database/queries/erasure/erase-failed-calls.ts';
import { eraseUsers } from '../../database/queries/erasure/erase-users.ts';
import { type RecordedRestore, recordRestore } from '../../database/queries/record-restore.ts';
import { readSetting } from '../../database/queries/settings/stored-settings.ts';
import { AdminError } from '../admin-error.ts';
import { refusedAfterResetSeconds } from '../claims.ts';
import { commandActor } from '../command-actor.ts';
import { useHashKey } from '../open-vault.ts';
import { chooseErasures, type ErasureList, type LeftOut } from './choose-erasures.ts';
import { commitTarget } from './end-filling.ts';
import { erasureFile, readErasureFile } from './erasure-file.ts';
import type { BackupSource } from './make-backup.ts';
import { openRightKey } from './require-right-key.ts';

/** The target of a restore: a folder, or a PostgreSQL database and the folder of its key file. */
export interface RestoreTarget extends BackupSource {
  readonly environment: NodeJS.ProcessEnv;
}

export interface RestoreOptions {
  /** Further lists of erasures, in addition to those next to the backup and the key file. */
  readonly erasureFiles?: readonly string[];
}

/** The last steps of a restore from a backup or by other tools, as they were carried out. */
export interface RestoreOutcome {
  /** Writes signed with a Timestamp up to this are refused, in Unix seconds. */
  readonly refusedThroughSeconds: number;
  /** Persons whose erasure is newer than the backup, and who were erased again. */
  readonly erasures: number;
  /** The files of the lists of erasures that were found. */
  readonly erasureLists: readonly string[];
  /** Erasures of found lists that were not applied, because they contradict the restored directory. */
  readonly erasuresLeftOut: readonly LeftOut[];
  /** The erasures in those lists that concern users of the restored directory. */
  readonly erasuresConcerning: readonly Erasure[];
  /** Whether the erased names could be compared: that needs the master key, and a key of hashes that is not damaged. */
  readonly namesCompared: boolean;
  readonly erased: ErasedCounts;
  /** Whether the right master key was found. */
  readonly keyFound: boolean;
}

/** How far a clock may be behind the moment of a backup, in milliseconds. */
const aheadMsMax = 24 * 3_600_000;

/** The last steps of a restore, inside the transaction that fills the target. */
export interface LastSteps {
  /**
   * Works on the tables of any release.
   *
   * @param backupMs the moment of the backup, if known, in Unix milliseconds
   */
  readonly checkKeyAndSkipPastBackup: (
    target: CopySession,
    backupMs?: number,
  ) => Promise<Pick<RestoreOutcome, 'keyFound' | 'refusedThroughSeconds'>>;
  /** Needs the tables of this release. */
  readonly eraseAndRecord: (
    target: CopySession,
    recorded: Pick<RecordedRestore, 'operation' | 'backup'>,
  ) => Promise<Omit<RestoreOutcome, 'keyFound' | 'refusedThroughSeconds'>>;
}

export function lastSteps({ data, environment }: RestoreTarget, lists: readonly ErasureList[]): LastSteps {
  let vault: SecretVault | undefined;
  return {
    async checkKeyAndSkipPastBackup({ session, timeMs }, backupMs = 0) {
      const proof = await readSetting(session, keyProofSettings.current);
      const words = { origin: 'this backup was made under', done: 'restored' };
      vault = openRightKey({ folder: resolve(data), environment }, proof, words);
      const keyFound = vault !== undefined;
      const clockMs = await timeMs();
      // The clock of this machine may be slow. A backup from far ahead was made by a clock that was wrong.
      const nowMs = backupMs - clockMs <= aheadMsMax ? Math.max(clockMs, backupMs) : clockMs;
      const refusedThroughSeconds = Math.floor(nowMs / 1000) + refusedAfterResetSeconds;
      await skipPastBackup(session, refusedThroughSeconds + limits.timestampSkewSeconds);
      return { keyFound, refusedThroughSeconds };
    },
    async eraseAndRecord({ session, bookkeeping, timeMs }, recorded) {
      const actor = commandActor(environment);
      const canHash = vault !== undefined && useHashKey(vault, await readSetting(session, hashKeySetting));
      const { missing, leftOut, concerning } = await chooseErasures(
        session,
        lists,
        canHash ? vault : undefined,
      );
      const erased = await eraseUsers(session, missing, { actor });
      await recordRestore(session, { ...recorded, nowMs: await timeMs(), erasures: missing, actor });
      await endSessionsAndLinks(session, bookkeeping);
      // The lists have no names, so the texts of all failed calls go; the server keeps them for days only.
      const failedCalls = missing.length === 0 ? 0 : await bookkeeping.write(eraseAllFailedCalls, 'durable');
      return {
        erasures: missing.length,
        erasureLists: lists.map(({ file }) => file),
        erasuresLeftOut: leftOut,
        erasuresConcerning: concerning,
        namesCompared: canHash,
        erased: { ...erased, failedCalls },
      };
    },
  };
}

/** Sessions that were ended later, and links that were used or withdrawn later, must not come back. */
async function endSessionsAndLinks(
  session: CopySession['session'],
  bookkeeping: CopySession['bookkeeping'],
): Promise<void> {
  await session.db.deleteFrom('operator_link').execute();
  await bookkeeping.write(({ db }) => db.deleteFrom('operator_session').execute(), 'durable');
}

/**
 * Commits the work on a target, or rolls it back, and closes the target.
 *
 * @param advice says what to do if the outcome is unknown; for a filling when left out
 */
export async function commitOrClose<T>(
  target: CopySession,
  work: () => Promise<T>,
  advice?: string,
): Promise<T> {
  try {
    const result = await work();
    await commitTarget(target, advice);
    return result;
  } finally {
    await target.close();
  }
}

/** Reads the lists in folders, which may have none, and those that the operator named, which must exist. */
export async function readErasureLists(
  folders: readonly string[],
  named: readonly string[],
): Promise<ErasureList[]> {
  for (const file of named) {
    if (!isThere(file)) throw new AdminError(`there is no list of erasures ${file}; name another file`);
  }
  const isNamed = new Set(named.map((file) => resolve(file)));
  const found = folders.map((folder) => join(resolve(folder), erasureFile)).filter(isThere);
  const files = [...new Set([...found, ...isNamed])];
  return Promise.all(
    files.map(async (file) => ({
      file,
      isNamed: isNamed.has(file),
      erasures: await readErasureFile(file),
    })),
  );
}

/** A list in a folder that this user may not open is not missing: without it, erased persons would return. */
function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const { message } = error as Error;
    const said = `cannot tell whether the list of erasures ${file} exists (${message}); nothing was restored`;
    throw new AdminError(`${said}: run this as the user of the server`, { cause: error });
  }
}
