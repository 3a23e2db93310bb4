import { constants } from 'node:os';

/**
 * Ends this process on a signal that nothing else in it handles, and runs the handlers of the event `exit` first. By
 * default, the system ends a process without running them. It does not end the first process of a container at all, so
 * a stop would be lost while the server waits for the database.
 */
export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    if (!process.listeners(signal).includes(end)) process.on(signal, end);
}

function end(signal: NodeJS.Signals): void {
  // Another listener shuts the process down in order.
  if (process.listenerCount(signal) > 1) return;
  process.once('exit', () => {
    process.off(signal, end);
    // Service managers see from the signal that the end was asked for. The first process survives this, and exits.
    process.kill(process.pid, signal);
  });
  process.exit(128 + constants.signals[signal]);
}
