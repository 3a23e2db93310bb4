import { constants } from 'node:os';

/**
 * Ends this process on a signal that nothing else in it handles, and runs the handlers of the event `exit` first. The
 * system ends a process without them, and the first process of a container not at all: while its server waits for the
 * database, a stop would be lost.
 */
export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    if (!process.listeners(signal).includes(end)) process.on(signal, end);
}

function end(signal: NodeJS.Signals): void {
  // Whatever else listens ends the process in order.
  if (process.listenerCount(signal) > 1) return;
  process.once('exit', () => {
    process.off(signal, end);
    // Service managers see from the signal that the end was asked for. The first process survives this, and exits.
    process.kill(process.pid, signal);
  });
  process.exit(128 + constants.signals[signal]);
}
