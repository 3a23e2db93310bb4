import type { Settings } from '../../config.ts';
import type { Inspection } from '../../database/database.ts';
import type { ProcessMemory } from '../../http/body/body-memory.ts';
import type { Finding, TranslatedFinding } from './finding.ts';

/** The last backup that the database knows of. */
export interface LastBackup {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly file: string;
}

/** The directory, files and settings that the checks examine. */
export interface DoctorContext {
  readonly inspection: Inspection;
  /** The settings that `serve` would have. */
  readonly settings: Settings;
  /** Folder of the backups; empty if unknown. */
  readonly backupFolder: string;
  /** Whether to leave out the checks that read a large part of the database. */
  readonly quick: boolean;
  /** How long a lock may hold up writes before it is a finding, in milliseconds. */
  readonly lockWaitMs: number;
  readonly environment: NodeJS.ProcessEnv;
  /** The memory that `serve` would have. */
  readonly memory: ProcessMemory;
  /** Remarks on the environment, such as variables that nothing reads. */
  readonly environmentWarnings: readonly string[];
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly findLastBackup: () => Promise<LastBackup | undefined>;
}

/** One check of the doctor. It changes nothing in the database, and works while servers run. */
export type DoctorCheck = QuickCheck | SlowCheck;

/** Its findings are shown in the console too, in the reader's language. */
interface QuickCheck extends Check<TranslatedFinding> {
  readonly slow?: false;
}

/** A check that reads a large part of the database; `--quick` leaves it out. */
interface SlowCheck extends Check<Finding> {
  readonly slow: true;
}

interface Check<Found extends Finding> {
  readonly name: string;
  /** If it throws after some findings, those are reported and the check counts as incomplete. */
  readonly run: (context: DoctorContext) => Promise<readonly Found[]> | AsyncIterable<Found>;
}
