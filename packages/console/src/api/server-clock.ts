let serverAheadMs = 0;

/** Notes how far the browser's clock is from the server's. */
export function setServerTime(serverMs: number): void {
  serverAheadMs = serverMs - Date.now();
}

/** Returns the server's time, in Unix milliseconds. */
export function serverNow(): number {
  return Date.now() + serverAheadMs;
}

/** Below this, a difference may be the delay of an answer rather than a wrong clock. */
const delayMsMax = 30_000;

/** Returns the time to compare the server's times with, which is the server's if the browser's clock is wrong. */
export function presentTime(): number {
  return Math.abs(serverAheadMs) < delayMsMax ? Date.now() : serverNow();
}
