import { findMistake, type Mismatch } from '@fieldroster/signing';

/**
 * What help may take of each second of the process, in milliseconds: a twentieth of one core. Its own time is
 * measured, because what one search costs depends on the request, which a stranger chose.
 */
const helpMsPerSecond = 50;

/** Names the mistake behind a signature that does not match, as far as there is time for it. */
export class MismatchHelp {
  readonly #stopwatch: () => number;
  #second = Number.NaN;
  /** Below 0 once a search took longer than was left; the next second pays for it. */
  #leftMs = 0;

  /** @param stopwatch milliseconds of work since any moment */
  constructor(stopwatch: () => number = threadCpuMs) {
    this.#stopwatch = stopwatch;
  }

  /**
   * The cause as a phrase, or `undefined` when none is known or the search ran out of time.
   *
   * @param nowMs Unix milliseconds
   */
  likelyCause(mismatch: Mismatch, nowMs: number): string | undefined {
    this.#renew(nowMs);
    const startedMs = this.#stopwatch();
    const spentMs = () => this.#stopwatch() - startedMs;
    // Who sent it is not known: nothing of the body is parsed, for a cause neither.
    const request = { ...mismatch.request, mayParseBody: false };
    const found = findMistake({ ...mismatch, request, mayGoOn: () => spentMs() < this.#leftMs });
    this.#leftMs -= spentMs();
    return found?.cause;
  }

  #renew(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === this.#second) return;
    this.#second = second;
    this.#leftMs = Math.min(helpMsPerSecond, this.#leftMs + helpMsPerSecond);
  }
}

/** Processor time and not the wall's: on a busy machine a search waits for its core, which takes nothing of it. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
