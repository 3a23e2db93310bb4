import type { RunningServer, ServerLog, ServingProcess } from '@fieldroster/server';
import { endOnSecondSignal } from '../process/end-on-second-signal.ts';
import { passReloadsTo } from './defer-reloads.ts';

/** A server that can replace its processes without a failed request. */
export interface Restartable {
  restart(): Promise<void>;
}

/** The end of a server that a signal asks for. */
export interface Stop {
  readonly isAsked: boolean;
  /** Resolves once the server has stopped. */
  readonly done: Promise<void>;
  readonly ask: (signal: NodeJS.Signals) => void;
}

/** Stops the server when a signal asks for it. A second signal ends the process at once. */
export function stopOnSignal(server: RunningServer): Stop {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  // The caller awaits it later, and then learns of a failure.
  done.catch(() => {});
  let isAsked = false;
  const ask = endOnSecondSignal(
    () => {
      isAsked = true;
      server.stop().then(resolve, reject);
    },
    () => 1,
  );
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  return {
    get isAsked() {
      return isAsked;
    },
    done,
    ask,
  };
}

/**
 * Handles SIGHUP, which service managers send to ask for a reload: restarts the server if it is restartable; otherwise
 * lets the server read its master keys again.
 */
export function reloadOnSignal(
  server: ServingProcess | (RunningServer & Restartable),
  { logger }: ServerLog,
  stop: Stop,
): void {
  passReloadsTo(() => {
    if ('restart' in server) void restart(server, logger, stop);
    // A terminal that is closed sends the same signal.
    else if (process.stdin.isTTY) stop.ask('SIGHUP');
    else {
      logger.info(
        {},
        'SIGHUP: reading the master keys again; a changed setting takes effect when the server is restarted',
      );
      void server.rereadKeys();
    }
  });
}

async function restart(server: Restartable, logger: ServerLog['logger'], stop: Stop): Promise<void> {
  try {
    await server.restart();
  } catch (error) {
    // A stop ends the workers that were to replace the others.
    if (!stop.isAsked) logger.error({ reason: (error as Error).message }, 'the workers were not replaced');
  }
}
