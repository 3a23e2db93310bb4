import type { RunningServer, ServerLog, ServingProcess } from '@fieldroster/server';
import { endOnSecondSignal } from '../process/end-on-second-signal.ts';

/** A server that can replace its processes without a failed request. */
export interface Restartable {
  restart(): Promise<void>;
}

/**
 * Resolves once a signal has stopped the server; a second signal ends the process at once. SIGHUP, which
 * service managers send to ask for a reload, restarts the server if it is restartable; otherwise it lets the
 * server read its master keys again.
 */
export function stopOnSignal(
  server: ServingProcess | (RunningServer & Restartable),
  { logger }: ServerLog,
  reloads: DeferredReloads,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = endOnSecondSignal(
    () => server.stop().then(resolve, reject),
    () => 1,
  );
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  reloads.passTo(() => {
    if ('restart' in server) void restart(server, logger);
    // A terminal that is closed sends the same signal.
    else if (process.stdin.isTTY) stop('SIGHUP');
    else void server.rereadKeys();
  });
  return promise;
}

/**
 * Remembers a SIGHUP that arrives during the start, until the server can handle it. It would otherwise end the process.
 */
export class DeferredReloads {
  #isAsked = false;
  readonly #remember = () => {
    this.#isAsked = true;
  };

  constructor() {
    // A closed terminal must still end the start.
    if (!process.stdin.isTTY) process.on('SIGHUP', this.#remember);
  }

  passTo(reload: () => void): void {
    process.off('SIGHUP', this.#remember);
    process.on('SIGHUP', reload);
    if (this.#isAsked) reload();
  }
}

async function restart(server: Restartable, logger: ServerLog['logger']): Promise<void> {
  try {
    await server.restart();
  } catch (error) {
    logger.error({ reason: (error as Error).message }, 'the workers were not replaced');
  }
}
