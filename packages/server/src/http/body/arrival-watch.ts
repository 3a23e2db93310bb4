/** A body whose arrival is watched. */
export interface Arriving {
  /** Bytes that have arrived so far. */
  readonly receivedBytes: number;
  /** Announced length in bytes, or the bytes received so far when none was announced. */
  readonly expectedBytes: number;
  /** True while the server makes the sender wait. */
  readonly waits: boolean;
  /** Called once when the body arrives too slowly. */
  cut(): void;
}

/**
 * Interval at which the rate of a body is checked, in milliseconds. TCP resends a lost packet after 1, 3 and 7 seconds,
 * so a lossy link is not cut off.
 */
export const windowMs = 10_000;

/** The slowest mobile links are faster. At this rate, 60 KiB arrive before a request times out. */
const bytesPerSecondMin = 1024;

/**
 * The part of a body that must arrive each second. A whole request must arrive within 60 seconds;
 * a quarter of that rate allows for links that are slow for a while.
 */
const pacePerSecond = 1 / 60 / 4;

interface Window {
  startMs: number;
  startBytes: number;
}

/** Cuts off bodies that arrive too slowly, because each holds memory until it is complete. */
export class ArrivalWatch {
  readonly #windows = new Map<Arriving, Window>();
  readonly #nowMs: () => number;

  /** @param nowMs a monotonic clock, in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(body: Arriving): void {
    this.#windows.set(body, { startMs: this.#nowMs(), startBytes: body.receivedBytes });
  }

  remove(body: Arriving): void {
    this.#windows.delete(body);
  }

  /** Cuts off bodies that were too slow. Call it about once a second. */
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

/** Returns the minimum rate for a body of this size, in bytes per second. */
export function rateMin(expectedBytes: number): number {
  return Math.max(bytesPerSecondMin, Math.ceil(expectedBytes * pacePerSecond));
}

function isTooSlow({ receivedBytes, expectedBytes }: Arriving, window: Window, nowMs: number): boolean {
  const seconds = (nowMs - window.startMs) / 1000;
  return receivedBytes - window.startBytes < rateMin(expectedBytes) * seconds;
}
