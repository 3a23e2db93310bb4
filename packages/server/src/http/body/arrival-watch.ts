/** A body that must keep arriving. */
export interface Arriving {
  /** Bytes that have arrived so far. */
  readonly receivedBytes: number;
  /** Bytes that will arrive, as far as that is known: announced, else received. */
  readonly expectedBytes: number;
  /** True while the server itself keeps it waiting. */
  readonly waits: boolean;
  /** Called once when it has been too slow. */
  cut(): void;
}

/**
 * A body is judged once in this time, in milliseconds, by what has arrived since. TCP sends a lost packet again
 * after 1, 3 and 7 seconds, so that a link that loses some is not cut off.
 */
export const windowMs = 10_000;

/** The slowest mobile links carry more; at this rate, 60 KiB arrive before a request times out. */
const bytesPerSecondMin = 1024;

/**
 * The time in which a whole request must have arrived is 60 seconds; a body at a quarter of the pace that this
 * takes has no chance any more. The quarter allows for links that are slow for a while.
 */
const pacePerSecond = 1 / 60 / 4;

interface Window {
  startMs: number;
  startBytes: number;
}

/** Cuts bodies that arrive too slowly: each holds memory for as long as it takes. */
export class ArrivalWatch {
  readonly #windows = new Map<Arriving, Window>();
  readonly #nowMs: () => number;

  /** @param nowMs a clock that never goes back, in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(body: Arriving): void {
    this.#windows.set(body, { startMs: this.#nowMs(), startBytes: body.receivedBytes });
  }

  remove(body: Arriving): void {
    this.#windows.delete(body);
  }

  /** To be called about once a second. */
  check(): void {
    if (this.#windows.size === 0) return;
    const nowMs = this.#nowMs();
    for (const [body, window] of this.#windows) {
      if (!body.waits && nowMs - window.startMs < windowMs) continue;
      if (!body.waits && isTooSlow(body, window, nowMs)) {
        this.#windows.delete(body);
        body.cut();
      } else {
        window.startMs = nowMs;
        window.startBytes = body.receivedBytes;
      }
    }
  }
}

/** Bytes per second that a body of this size must arrive at. */
export function rateMin(expectedBytes: number): number {
  return Math.max(bytesPerSecondMin, Math.ceil(expectedBytes * pacePerSecond));
}

function isTooSlow({ receivedBytes, expectedBytes }: Arriving, window: Window, nowMs: number): boolean {
  const seconds = (nowMs - window.startMs) / 1000;
  return receivedBytes - window.startBytes < rateMin(expectedBytes) * seconds;
}
