import type { Problem } from '@fieldroster/contract/problems';
import type { FailureCount, PasswordFailures } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import { BusyError } from '../errors/busy-error.ts';
import { TarPit, type Wait } from '../fairness/tar-pit.ts';
import { FailureBatches } from './failure-batches.ts';
import { FailuresWithFallback } from './failures-with-fallback.ts';
import { KeyedQueue } from './keyed-queue.ts';

/** The user whose password is checked, and the application that asks. */
export interface Guesser {
  readonly tenantId: bigint;
  readonly appId: string;
  readonly username: string;
  /** Aborts when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
}

export interface PasswordGuessesOptions {
  readonly failures: PasswordFailures;
  /** Represents a username in the database and the log; see `SecretVault`. */
  readonly keyedHash: (text: string) => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Delays refusals; uses a timer by default. */
  readonly wait?: Wait | undefined;
}

const windowMs = 60_000;
const failuresOfUserMax = 10;
const failuresOfApplicationMax = 300;

/** A throttled application gets no check of a username that already has a failure. */
const failuresWhileThrottledMax = 1;

const waitingOfUserMax = 100;

/**
 * When a refusal is sent, in milliseconds after the request arrived. The first covers the check of any kind of hash, so
 * that timing does not reveal which usernames exist.
 */
const refusedAfterMs = { first: 1_000, repeated: 2_000 };

type Subjects = Readonly<Record<'user' | 'application', string>>;

/** Outcome of an attempt: the result of the check, or how to refuse the caller. */
type Outcome<T> = { readonly found: T } | { readonly refusal: ApiError | undefined; readonly holdMs: number };

/**
 * Limits password guesses by user and by application. It counts in the database, which all processes share, under a
 * hash of the username, whether or not that exists; while the database takes no writes, in memory.
 */
export class PasswordGuesses {
  readonly #options: PasswordGuessesOptions;
  readonly #failures: FailuresWithFallback;
  readonly #batches: FailureBatches;
  readonly #tarPit: TarPit;
  /** Checks of one user run one after the other, so that concurrent attempts get no further than successive ones. */
  readonly #checks = new KeyedQueue(waitingOfUserMax);

  constructor(options: PasswordGuessesOptions) {
    this.#options = options;
    this.#failures = new FailuresWithFallback(options.failures, options.now);
    this.#batches = new FailureBatches(this.#failures, windowMs);
    this.#tarPit = new TarPit(options.wait);
  }

  /** Represents the username in the log, by 16 hexadecimal digits. */
  hashOf({ tenantId, username }: Pick<Guesser, 'tenantId' | 'username'>): string {
    return this.#userSubject(tenantId, username).slice(0, 16);
  }

  /**
   * Runs a check and counts `undefined` as a failure; any other result clears the user's failures. Refusals are
   * delayed.
   *
   * @throws {ApiError} 1429 when the user has failed too often, or the application has and the user has failed too
   * @throws {BusyError} when the failures cannot be read, or the caller left while the check waited
   */
  async countFailures<T>(guesser: Guesser, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const arrivedMs = performance.now();
    const { tenantId, appId, username, signal } = guesser;
    // Neither usernames nor appIds contain a line feed.
    const subjects = {
      user: this.#userSubject(tenantId, username),
      application: this.#options.keyedHash(`application\n${appId}`),
    };
    const outcome = await this.#checks.run(subjects.user, () => {
      if (signal?.aborted) throw new BusyError('the caller disconnected while the check waited');
      return this.#attempt(subjects, appId, check);
    });
    if ('found' in outcome) return outcome.found;
    await this.#tarPit.hold(outcome.holdMs - (performance.now() - arrivedMs), signal);
    if (outcome.refusal !== undefined) throw outcome.refusal;
    return undefined;
  }

  #userSubject(tenantId: bigint, username: string): string {
    return this.#options.keyedHash(`user\n${tenantId}\n${username}`);
  }

  async #attempt<T>(
    subjects: Subjects,
    appId: string,
    check: () => Promise<T | undefined>,
  ): Promise<Outcome<T>> {
    const counts = await this.#failures.read([subjects.user, subjects.application], windowMs);
    const user = counts.get(subjects.user);
    const application = counts.get(subjects.application);
    const throttled = application !== undefined && application.failures >= failuresOfApplicationMax;
    if (user !== undefined && throttled && user.failures >= failuresWhileThrottledMax) {
      const who = `this username had a wrong password within a minute, and the application ${appId} had ${failuresOfApplicationMax}`;
      return this.#tooMany(
        (seconds) => `${who}; try again in ${seconds} s`,
        Math.min(user.endsAtMs, application.endsAtMs),
      );
    }
    if (user !== undefined && user.failures >= failuresOfUserMax) return this.#tooManyOfUser(user);
    // After a failure, count the attempt before the check, because other processes count for the same user.
    const reserved = user !== undefined && user.failures > 0 ? await this.#reserve(subjects.user) : undefined;
    if (reserved !== undefined && reserved.failures > failuresOfUserMax) return this.#tooManyOfUser(reserved);
    return this.#checkAndCount(subjects, { throttled, reserved: reserved !== undefined }, check);
  }

  async #reserve(subject: string): Promise<FailureCount | undefined> {
    return (await this.#batches.record([{ subject, add: 1 }])).get(subject);
  }

  async #checkAndCount<T>(
    { user, application }: Subjects,
    { throttled, reserved }: { readonly throttled: boolean; readonly reserved: boolean },
    check: () => Promise<T | undefined>,
  ): Promise<Outcome<T>> {
    const found = await check().catch(async (error) => {
      // If this fails too, the first error says more.
      if (reserved) await this.#batches.record([{ subject: user, add: -1 }]).catch(() => {});
      throw error;
    });
    if (found !== undefined) {
      if (reserved) await this.#clear(user);
      return { found };
    }
    const changes = [{ subject: application, add: 1 }, ...(reserved ? [] : [{ subject: user, add: 1 }])];
    await this.#batches.record(changes);
    const repeated = throttled || reserved;
    return { refusal: undefined, holdMs: repeated ? refusedAfterMs.repeated : refusedAfterMs.first };
  }

  /** Clears the failures. The password was right even if this does not succeed, and the window ends anyway. */
  async #clear(subject: string): Promise<void> {
    try {
      await this.#batches.record([{ subject, clear: true, add: 0 }]);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
    }
  }

  #tooManyOfUser({ endsAtMs }: FailureCount): Outcome<never> {
    return this.#tooMany(
      (seconds) => ({ key: 'manyGuesses', values: { max: failuresOfUserMax, seconds } }),
      endsAtMs,
    );
  }

  #tooMany(say: (seconds: number) => string | Problem, endsAtMs: number): Outcome<never> {
    const retryAfterSeconds = Math.max(1, Math.ceil((endsAtMs - this.#options.now()) / 1000));
    return {
      refusal: new ApiError(1429, say(retryAfterSeconds), { retryAfterSeconds }),
      holdMs: refusedAfterMs.repeated,
    };
  }
}
