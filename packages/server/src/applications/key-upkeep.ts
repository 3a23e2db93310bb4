import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Keys, keyIdOfProof } from '../database/database.ts';
import { BusyError } from '../errors/busy-error.ts';
import { PeriodicTask } from '../upkeep/periodic-task.ts';
import { findMasterKey, findPreviousKey, keyFiles } from './master-key/find-master-key.ts';
import { MasterKeyError } from './master-key/master-key-error.ts';
import { aliveIntervalMs, processPlace } from './process-place.ts';
import type { SecretVault } from './secret-vault.ts';
import { newProcessId } from './server-of.ts';

interface KeyUpkeepLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface KeyUpkeepOptions {
  readonly keys: Keys;
  readonly vault: SecretVault;
  /** Folder of the key files. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: KeyUpkeepLog;
  /** See `Claims.clockDifferenceMs`. */
  readonly clockDifferenceMs: () => number | undefined;
}

const lookIntervalMs = 1_000;

/** A clock that has moved by this much since the last report, in milliseconds, is reported at once. */
const clockStepMs = 5_000;

/** How long a report, or a reading, that the database refused waits for the next attempt. */
const retryIntervalMs = 10_000;

/** A rotation replaces the key in use only once every process holds it and the new one. */
const lacksUsedKey =
  'the master keys were not replaced: the new ones lack the key that is in use, key_id; put that key back, or beside the ' +
  'new one as the previous key (master.key.previous or FIELDROSTER_MASTER_KEY_PREVIOUS), and run fieldroster key rotate; ' +
  'until then, this process keeps its keys, but does not start again';

/**
 * Keeps a process's master keys in step with their files, and reports in the database which ones it holds, so that a
 * rotation can wait for it.
 */
export class KeyUpkeep {
  readonly processId = newProcessId();
  readonly #options: KeyUpkeepOptions;
  readonly #files: readonly string[];
  readonly #looks: PeriodicTask;
  /** `undefined` until the files have been read; reset to read them again. */
  #filesSeen: string | undefined;
  #rereadDueAtMs = 0;
  /** Whether the database knows the keys that this process holds now. */
  #isReported = false;
  #aliveDueAtMs = 0;
  /** As of the last report, tried or made. */
  #reportedDifferenceMs = 0;

  constructor(options: KeyUpkeepOptions) {
    this.#options = options;
    this.#files = keyFiles(options.folder, options.environment);
    this.#looks = new PeriodicTask(() => this.#look(), {
      intervalMs: lookIntervalMs,
      onError: (error) =>
        options.log.warn(
          { cause: (error as Error).message },
          'the master keys were not read again or not reported',
        ),
    });
  }

  /**
   * Reports the keys, and begins to watch their files. A database that accepts no write at the moment, for example
   * during an import, also holds up every rotation, so the report may follow later.
   *
   * @throws {MasterKeyError} when the current key was replaced while this process started
   */
  async start(): Promise<void> {
    await this.#report().catch((error: Error) => {
      if (!(error instanceof BusyError)) throw error;
      this.#options.log.warn({ cause: error.message }, 'the master keys are not reported yet');
    });
    this.#looks.start();
  }

  /** Reads the keys again, whether or not their files look changed. */
  async reread(): Promise<void> {
    this.#filesSeen = undefined;
    this.#rereadDueAtMs = 0;
    await this.#looks.run();
    // `run` may have joined a look that began before and had already read the files.
    if (this.#filesSeen === undefined) {
      this.#rereadDueAtMs = 0;
      await this.#looks.run();
    }
  }

  async stop(): Promise<void> {
    await this.#looks.stop();
    // A report that stays behind only delays the next rotation.
    await this.#options.keys.forget(this.processId).catch(() => {});
  }

  async #look(): Promise<void> {
    const isDue = performance.now() >= this.#rereadDueAtMs;
    if (isDue && this.#filesSeen !== describeFiles(this.#files)) await this.#reread();
    await this.#followRotation();
    if (performance.now() < this.#aliveDueAtMs && !this.#hasClockMoved()) return;
    this.#noteClock();
    this.#aliveDueAtMs = performance.now() + retryIntervalMs;
    const isKnown = this.#isReported && (await this.#options.keys.noteAlive(this.processId));
    if (!isKnown) await this.#report();
    this.#aliveDueAtMs = performance.now() + aliveIntervalMs;
  }

  #hasClockMoved(): boolean {
    const differenceMs = this.#options.clockDifferenceMs() ?? 0;
    return Math.abs(differenceMs - this.#reportedDifferenceMs) > clockStepMs;
  }

  #noteClock(): void {
    this.#reportedDifferenceMs = this.#options.clockDifferenceMs() ?? 0;
  }

  /** Seals with the current key. If this process holds two, a rotation may make the other one current at any time. */
  async #followRotation(): Promise<void> {
    const { keys, vault } = this.#options;
    if (vault.keyIds.length < 2) return;
    const { current } = await keys.stored();
    if (current !== undefined) vault.sealWith(current);
  }

  async #reread(): Promise<void> {
    const { folder, environment, vault, keys, log } = this.#options;
    // Noted before the files are read: a change during the reading then causes another one.
    this.#filesSeen = describeFiles(this.#files);
    const found = [findMasterKey(folder, environment), findPreviousKey(folder, environment)];
    const { current = vault.proofOfKey() } = await keys.stored().catch((error) => {
      this.#filesSeen = undefined;
      this.#rereadDueAtMs = performance.now() + retryIntervalMs;
      throw error;
    });
    const before = vault.keyIds.join();
    const held = found.filter((key) => key !== undefined);
    if (held.length === 0) {
      const lost = { key_id: keyIdOfProof(current), files: this.#files };
      log.warn(
        lost,
        'the file of the master key is gone; this process keeps the key, but no other one starts without it: put the file back',
      );
      return;
    }
    if (!vault.hold(held, current)) {
      const lacking = { key_id: keyIdOfProof(current), key_ids: vault.keyIds };
      log.warn(lacking, lacksUsedKey);
      return;
    }
    if (vault.keyIds.join() === before) return;
    this.#isReported = false;
    this.#aliveDueAtMs = performance.now() + retryIntervalMs;
    log.info({ key_ids: vault.keyIds }, 'the master keys were read again');
    await this.#report();
  }

  async #report(): Promise<void> {
    const { keys, vault } = this.#options;
    this.#noteClock();
    const self = { processId: this.processId, host: hostname(), pid: process.pid, place: processPlace() };
    const { current } = await keys.report({ ...self, keyIds: vault.keyIds });
    this.#isReported = true;
    this.#aliveDueAtMs = performance.now() + aliveIntervalMs;
    if (current !== undefined && !vault.sealWith(current)) {
      throw new MasterKeyError(
        `the master key was replaced, and this process lacks the new one (key id ${keyIdOfProof(current)}); give it that ` +
          'key and start it again',
      );
    }
  }
}

/** Changes whenever one of the files is replaced or written. */
function describeFiles(paths: readonly string[]): string {
  const described = paths.map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? '-' : `${found.ino} ${found.mtimeMs} ${found.size}`;
  });
  return described.join('\n');
}
