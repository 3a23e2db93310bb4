import type { Problem } from '@fieldroster/contract/problems';
import type { FailureCount, PasswordFailures } from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import { BusyError } from '../../errors/busy-error.ts';

export interface CodeGuessesOptions {
  readonly failures: PasswordFailures;
  /** Represents a subject in the database; see `SecretVault`. */
  readonly keyedHash: (text: string) => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The subjects of two counts in the database: the wrong codes in a row, and the guesses during a wait. */
type Subjects = Readonly<Record<'row' | 'wait', string>>;

/** Makes the message to somebody who must wait. */
export type SayWait = (values: { readonly count: number; readonly minutes: number }) => Problem;

/** Wrong codes in a row without a wait; also those after which the trail of events has each further one. */
export const wrongCodesMax = 10;

/** How long wrong codes in a row are remembered, from the first of them. */
const rememberedMs = 30 * 24 * 3_600_000;

const firstWaitMs = 60_000;
const waitMsMax = 3_600_000;

/**
 * Limits guesses of six-digit codes. Three of a million codes are right at any moment, so ten guesses a minute would
 * find one within weeks. After ten wrong codes in a row, there is one guess a minute later, and the wait doubles up to
 * an hour. Counts in the database, which all processes share.
 *
 * Call it only for somebody who has proved something, such as the password: others could make the operator wait.
 */
export class CodeGuesses {
  readonly #options: CodeGuessesOptions;

  constructor(options: CodeGuessesOptions) {
    this.#options = options;
  }

  /**
   * Runs a check and counts `undefined` as a wrong code; any other result ends the row of wrong codes.
   *
   * @param subject whose code it is, and for what
   * @param check receives the number of wrong codes in a row if this one is wrong
   * @throws {ApiError} 1429 while the subject must wait
   */
  async count<T>(
    subject: string,
    sayWait: SayWait,
    check: (wrongInRow: number) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { failures } = this.#options;
    const { row, wait } = this.#subjects(subject);
    const waiting = (await failures.read([wait], waitMsMax)).get(wait);
    if (waiting !== undefined) throw this.#tooMany(waiting, await this.#wrongInRow(row), sayWait);
    // Count before the check, so that concurrent guesses get no further than successive ones.
    const counted = (await failures.change([{ subject: row, add: 1 }], rememberedMs)).get(row);
    const wrongInRow = counted?.failures ?? 1;
    const waits = wrongInRow >= wrongCodesMax;
    if (waits) await this.#beginWait({ row, wait }, wrongInRow, sayWait);
    const found = await check(wrongInRow).catch(async (error) => {
      // The code was not checked.
      const endWait = waits ? [{ subject: wait, clear: true, add: 0 }] : [];
      // If this fails too, the first error says more.
      await failures.change([{ subject: row, add: -1 }, ...endWait], rememberedMs).catch(() => {});
      throw error;
    });
    if (found !== undefined) await this.forget(subject);
    return found;
  }

  /** Ends the row of wrong codes. If this does not succeed, the operator waits at most as long as announced. */
  async forget(subject: string): Promise<void> {
    const { row, wait } = this.#subjects(subject);
    const changes = [row, wait].map((each) => ({ subject: each, clear: true, add: 0 }));
    try {
      await this.#options.failures.change(changes, rememberedMs);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
    }
  }

  /** Lets one of several simultaneous guesses through, and refuses the others. */
  async #beginWait({ row, wait }: Subjects, wrongInRow: number, sayWait: SayWait): Promise<void> {
    const { failures } = this.#options;
    const endsAfterMs = Math.min(waitMsMax, firstWaitMs * 2 ** (wrongInRow - wrongCodesMax));
    const change = { subject: wait, add: 1, endsAfterMs };
    const begun = (await failures.change([change], waitMsMax)).get(wait);
    if (begun === undefined || begun.failures === 1) return;
    // The code of a refused guess is not checked.
    await failures.change([{ subject: row, add: -1 }], rememberedMs);
    throw this.#tooMany(begun, wrongInRow - 1, sayWait);
  }

  async #wrongInRow(row: string): Promise<number> {
    return (await this.#options.failures.read([row], rememberedMs)).get(row)?.failures ?? wrongCodesMax;
  }

  #tooMany({ endsAtMs }: FailureCount, count: number, sayWait: SayWait): ApiError {
    const retryAfterSeconds = Math.max(1, Math.ceil((endsAtMs - this.#options.now()) / 1000));
    const minutes = Math.ceil(retryAfterSeconds / 60);
    return new ApiError(1429, sayWait({ count, minutes }), { retryAfterSeconds });
  }

  #subjects(subject: string): Subjects {
    const { keyedHash } = this.#options;
    return { row: keyedHash(`wrong codes\n${subject}`), wait: keyedHash(`wait for code\n${subject}`) };
  }
}
