import type { RunningServer, ServingProcess } from '@fieldroster/server';
import { warn } from '../print.ts';

/** A server that can replace its processes without a failed request. */
export interface Restartable {
  restart(): Promise<void>;
}

/** Several programs may pass on the same Ctrl+C; a person takes longer to press it again. */
const sameSignalMs = 300;

/**
 * Resolves once a signal has stopped the server; a second signal ends the process at once. SIGHUP, which
 * service managers send to ask for a reload, restarts the server if it is restartable; otherwise it lets the
 * server read its master keys again.
 */
export function stopOnSignal(server: ServingProcess | (RunningServer & Restartable)): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let firstAtMs: number | undefined;
  const stop = () => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now();
      server.stop().then(resolve, reject);
    } else if (performance.now() - firstAtMs > sameSignalMs) {
      process.exit(1);
    }
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', () => {
    if ('restart' in server) void restart(server);
    // A terminal that is closed sends the same signal.
    else if (process.stdin.isTTY) stop();
    else void server.rereadKeys();
  });
  return promise;
}

async function restart(server: Restartable): Promise<void> {
  try {
    await server.restart();
  } catch (error) {
    warn(`the workers were not replaced: ${(error as Error).message}`);
  }
}
