import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/** In milliseconds. Long enough for another process to be given the core. */
const pauseMs = 0.05;

/** Connections that arrive within this time, in milliseconds, arrive together. */
const windowMs = 200;

/**
 * Pauses in that time. Clients decide how many connections they open, so this bounds what they cost; among more
 * connections than this, chance leaves each worker a share.
 */
const pausesMax = 64;

const neverNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** How to pause, and the time in milliseconds. Tests replace both. */
interface Clock {
  /** Blocks the process. */
  pause(): void;
  now(): number;
}

const realClock: Clock = {
  pause: () => void Atomics.wait(neverNotified, 0, 0, pauseMs),
  now: () => performance.now(),
};

/**
 * Lets the other workers on the same port accept their share of the connections that arrive together,
 * such as those of a proxy's pool. The worker that is awake first would otherwise accept nearly all of them,
 * and serve them for as long as they live.
 *
 * Blocks the event loop for a moment whenever a worker has more connections than before. Clients
 * that open a connection for each request replace connections rather than add to them, so they hardly cause pauses.
 */
export function shareConnections(server: EventEmitter, { pause, now }: Clock = realClock): void {
  let open = 0;
  let most = 0;
  let pauses = 0;
  let windowEndMs = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    const nowMs = now();
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + windowMs;
      most = open;
      pauses = 0;
    }
    if (open > most && pauses < pausesMax) {
      most = open;
      pauses += 1;
      pause();
    }
  });
}
