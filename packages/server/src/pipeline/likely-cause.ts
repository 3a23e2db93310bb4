import { findMistake, type Mismatch } from '@fieldroster/signing';

/**
 * Help costs more than the refusal itself, some 0.5 ms. Whoever sends wrong signatures as fast as they can must
 * not take more of the server than about a twentieth of one core.
 */
const kibibytesPerSecond = 256;

/** Names the mistake behind a signature that does not match, as far as there is time for it. */
export class MismatchHelp {
  #second = 0;
  #kibibytesLeft = 0;

  /** The cause as a phrase, or `undefined` when none is known or too many were asked for in this second. */
  likelyCause(mismatch: Mismatch, nowMs: number): string | undefined {
    if (!this.#take(workOf(mismatch), nowMs)) return undefined;
    // Who sent it is not known: nothing of the body is parsed, for a cause neither.
    const request = { ...mismatch.request, mayParseBody: false };
    return findMistake({ ...mismatch, request })?.cause;
  }

  #take(kibibytes: number, nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#kibibytesLeft = kibibytesPerSecond;
    }
    if (kibibytes > this.#kibibytesLeft) return false;
    this.#kibibytesLeft -= kibibytes;
    return true;
  }
}

function workOf({ request: { target } }: Mismatch): number {
  return 1 + Math.ceil(target.length / 1024);
}
