import { goneAfterMs, isRunning } from '../applications/process-place.ts';
import type {
  GoodBackup,
  KeyHolders,
  OperatorEvent,
  Operators,
  StoredOperatorEvent,
} from '../database/database.ts';
import type { Logger } from '../logging/logger.ts';

/** The state of a verification that an operator requested. */
export interface VerificationState {
  readonly state: 'running' | 'good' | 'failed';
  /** When it began, or once it has ended, when it ended, in Unix milliseconds. */
  readonly atMs: number;
  readonly file: string;
  /** Why it failed. */
  readonly problem?: string;
}

export interface VerificationParts {
  /** The id under which this process reports its keys. */
  readonly processId: string;
  readonly operators: Operators;
  /**
   * Restores the backup into a temporary database; rejects with the reason if that fails, and when the signal aborts
   * it.
   */
  readonly verify: (file: string, signal: AbortSignal) => Promise<void>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** The operation of the events that record a verification, at its beginning and at its end. */
export const verificationOperation = 'verify-backup';

/** A verification that has not ended after this time is shown as failed: its process must have ended unnoticed. */
const longestVerificationMs = 6 * 3_600_000;

/**
 * Verifies backups in the background. It keeps its state in events, so every node shows the state of the last
 * verification, wherever that runs.
 */
export class BackupVerification {
  readonly #parts: VerificationParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: VerificationParts) {
    this.#parts = parts;
  }

  /** Returns what the event of a beginning says: the backup, and the process, so that others notice when it is gone. */
  toBeginning({ file }: GoodBackup): OperatorEvent['changes'] {
    return { file, state: 'running', process: this.#parts.processId };
  }

  /** Verifies a backup and records the result. Never rejects. */
  begin(backup: GoodBackup, begun: OperatorEvent): void {
    this.#running = this.#verify(backup, begun).finally(() => {
      this.#running = undefined;
    });
  }

  /** Waits for a verification that is under way. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Aborts a verification that is under way, which may take hours, and records that. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #verify({ file }: GoodBackup, begun: OperatorEvent): Promise<void> {
    const { operators, verify, logger } = this.#parts;
    const { signal } = this.#stopping;
    const problem = await verify(file, signal).then(
      () => undefined,
      (error: Error) =>
        signal.aborted ? 'the server was stopped before it ended; verify it again' : error.message,
    );
    if (problem === undefined) logger.info({ file }, 'a backup was verified for an operator');
    else logger.warn({ file, cause: problem }, 'a backup could not be verified');
    const changes = problem === undefined ? { file, state: 'good' } : { file, state: 'failed', problem };
    await operators
      .write(undefined, async () => ({ result: undefined, event: { ...begun, changes } }))
      .catch((error) => logger.warn({ cause: String(error) }, 'the end of a verification was not recorded'));
  }
}

/** Returns the state of the last verification, as its last event shows it. */
export function toVerificationState(
  { changes, atMs }: StoredOperatorEvent,
  { nowMs, processes }: { readonly nowMs: number; readonly processes: KeyHolders },
): VerificationState {
  const { file, state, problem, process } = changes as unknown as Omit<VerificationState, 'atMs'> & {
    readonly process?: string;
  };
  const ageMs = nowMs - atMs;
  if (state === 'running' && (ageMs > longestVerificationMs || isGone(process, ageMs, processes)))
    return { state: 'failed', atMs, file, problem: 'its process ended before the verification did' };
  return { state, atMs, file, ...(problem !== undefined && { problem }) };
}

/**
 * A process that runs has a report, except for a short time: after its start if the database was busy, and until it
 * notices that its report is missing. The id of a process is no evidence: a container that starts again gets it again.
 */
function isGone(processId: string | undefined, ageMs: number, { holders, nowMs }: KeyHolders): boolean {
  const holder = holders.find((each) => each.processId === processId);
  return holder === undefined ? Math.abs(ageMs) > goneAfterMs : !isRunning(holder, nowMs);
}
