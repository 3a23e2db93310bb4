import { ApiError } from '../api-error.ts';
import { FailureThrottle } from './failure-throttle.ts';

/** Whose password is asked for, and by which application. */
export interface Guesser {
  readonly tenantId: bigint;
  readonly appId: string;
  readonly username: string;
}

const windowMs = 60_000;
const failuresOfUserMax = 10;
const failuresOfApplicationMax = 300;

/**
 * Bounds how many passwords can be tried, by user and by application. It counts within this process: of
 * several, each allows as many.
 */
export class PasswordGuesses {
  readonly #users = new FailureThrottle({ failuresMax: failuresOfUserMax, windowMs });
  readonly #applications = new FailureThrottle({ failuresMax: failuresOfApplicationMax, windowMs });
  readonly #now: () => number;

  /** @param now Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Runs a check and counts `undefined` as a failure; anything else clears the user's failures.
   *
   * @throws {ApiError} 1429 when the user or the application has failed too often
   */
  async count<T>(guesser: Guesser, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const { appId, username } = guesser;
    // No username and no appId has a line feed in it.
    const userKey = `${guesser.tenantId}\n${username}`;
    this.#begin(userKey, appId);
    try {
      const found = await check();
      if (found === undefined) return undefined;
      this.#users.reset(userKey);
      this.#applications.withdraw(appId);
      return found;
    } catch (error) {
      this.#users.withdraw(userKey);
      this.#applications.withdraw(appId);
      throw error;
    }
  }

  #begin(userKey: string, appId: string): void {
    const nowMs = this.#now();
    const userWaitMs = this.#users.begin(userKey, nowMs);
    if (userWaitMs > 0) throw tooMany('this username', failuresOfUserMax, userWaitMs);
    const waitMs = this.#applications.begin(appId, nowMs);
    if (waitMs === 0) return;
    this.#users.withdraw(userKey);
    throw tooMany(`the application ${appId}`, failuresOfApplicationMax, waitMs);
  }
}

function tooMany(who: string, failuresMax: number, waitMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `${who} had ${failuresMax} wrong passwords within a minute; try again in ${retryAfterSeconds} s`;
  return new ApiError(1429, message, { retryAfterSeconds });
}
