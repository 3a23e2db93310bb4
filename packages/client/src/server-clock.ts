/** The time that a request was signed with. */
export interface ClockReading {
  /** Unix seconds by the server's clock, as far as known. */
  readonly seconds: number;
  /** How many times the offset had been set by then. */
  readonly revision: number;
}

/** A `Date` header has whole seconds and takes time to arrive, so smaller differences are ignored. */
const noticeableMs = 5000;

/**
 * A clock that shows another zone's time, or yesterday's, is rarely off by more than a day. Without a bound, one forged
 * or mistaken answer could get requests signed for a far future, and their receiver could send them then.
 */
const offsetMsMax = 24 * 3_600_000;

/**
 * The server's clock, kept as an offset to the local one and shared by all calls of a client. The `Date` of the
 * first answer sets the offset, so that the remaining life of a signature is known; a 1012 corrects it. A time that is
 * more than a day away from the local one is not taken.
 */
export class ServerClock {
  readonly #localMs: () => number;
  #offsetMs = 0;
  #revision = 0;
  #measured = false;

  constructor(localMs: () => number) {
    this.#localMs = localMs;
  }

  /** Milliseconds by which the server's clock is ahead of the local one. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  nowMs(): number {
    return this.#localMs() + this.#offsetMs;
  }

  read(): ClockReading {
    return { seconds: Math.floor(this.nowMs() / 1000), revision: this.#revision };
  }

  /** Takes the offset from the `Date` of an answer, unless it was measured before. */
  observe(date: string | null): void {
    const dateMs = Date.parse(date ?? '');
    if (this.#measured || Number.isNaN(dateMs) || this.isTooFar(dateMs)) return;
    this.#measured = true;
    if (Math.abs(dateMs - this.#localMs()) > noticeableMs) this.#set(dateMs);
  }

  /**
   * Corrects the offset after a timestamp was refused. Of many requests refused for the same reason, only the
   * first corrects it.
   *
   * @param refused what the request was signed with
   * @param serverMs the server's time from its answer, if known
   * @returns whether signing again with the current time may succeed
   */
  correct(refused: ClockReading, serverMs: number | undefined): boolean {
    if (refused.revision !== this.#revision) return true;
    if (serverMs === undefined || this.isTooFar(serverMs)) return false;
    this.#measured = true;
    this.#set(serverMs);
    return true;
  }

  /** Returns whether the local clock is too wrong to be corrected. */
  isTooFar(serverMs: number): boolean {
    return Math.abs(serverMs - this.#localMs()) > offsetMsMax;
  }

  #set(serverMs: number): void {
    // The server's time is truncated to whole seconds, which loses half a second on average.
    this.#offsetMs = serverMs + 500 - this.#localMs();
    this.#revision += 1;
  }
}

/**
 * Returns the server's time from a 1012. Prefers its message, which a browser can read even where it may not
 * read the `Date` header, and whose time no proxy has replaced.
 */
export function serverMsOf(message: string, date: string | null): number | undefined {
  const seconds = /the server's time (\d{1,12})\b/.exec(message)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const dateMs = Date.parse(date ?? '');
  return Number.isNaN(dateMs) ? undefined : dateMs;
}
