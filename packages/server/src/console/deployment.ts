import type { SaidAdvice, SaidFinding } from '@fieldroster/contract/console';
import type { Settings } from '../settings/settings.ts';
import type { BackupVerification } from './backup-verification.ts';

/** A finding of the doctor. */
export interface DeploymentFinding {
  readonly check: string;
  readonly level: 'ok' | 'note' | 'warning' | 'error';
  readonly message: string;
  readonly advice?: string;
  /** The message and the advice as data, for other languages. */
  readonly said?: SaidFinding;
  readonly advised?: SaidAdvice;
}

/** Commands that operators may run from the console. */
export interface DeploymentCommands {
  /**
   * Checks a backup by restoring it into a temporary database beside it.
   *
   * @throws {Error} with the reason when it cannot be restored, or when the signal aborts the check
   */
  verifyBackup(file: string, signal: AbortSignal): Promise<void>;
  /**
   * Runs the doctor's quick checks with the server's settings.
   *
   * @throws {Error} with the reason when they cannot run, or when the signal aborts them
   */
  examine(signal: AbortSignal): Promise<readonly DeploymentFinding[]>;
}

/** The facts about the deployment that the console shows. */
export interface Deployment {
  readonly settings: Pick<
    Settings,
    | 'database'
    | 'auditKeepDays'
    | 'callsKeepDays'
    | 'backupEveryMs'
    | 'backupTo'
    | 'backupKeep'
    | 'secondFactor'
  >;
  readonly failedCallsKeepDays: number;
  /** Runs the doctor's quick checks; absent where the server runs inside another program. */
  readonly examine: (() => Promise<readonly DeploymentFinding[]>) | undefined;
  /** Verifies backups; absent where the server runs inside another program. */
  readonly verification: BackupVerification | undefined;
}
