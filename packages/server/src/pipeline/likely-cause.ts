import { findMistake, type Mismatch, reserialisedBytesMax } from '@fieldroster/signing';

/**
 * Help costs more than the refusal itself: 0.3 ms for a small request, 13 ms for the worst body. Whoever sends
 * wrong signatures as fast as they can must not take more of the server than about a twentieth of one core.
 */
const kibibytesPerSecond = 256;

/** Names the mistake behind a signature that does not match, as far as there is time for it. */
export class MismatchHelp {
  #second = 0;
  #kibibytesLeft = 0;

  /** The cause as a phrase, or `undefined` when none is known or too many were asked for in this second. */
  likelyCause(mismatch: Mismatch, nowMs: number): string | undefined {
    return this.#take(workOf(mismatch), nowMs) ? findMistake(mismatch)?.cause : undefined;
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

/** A body above the limit is not looked into, and so costs nothing. */
function workOf({ request: { target, body } }: Mismatch): number {
  const bodyBytes = body.length > reserialisedBytesMax ? 0 : body.length;
  return 1 + Math.ceil((target.length + bodyBytes) / 1024);
}
