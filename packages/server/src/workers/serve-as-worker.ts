import cluster from 'node:cluster';
import type { Settings } from '../config.ts';
import type { RateReports } from '../database/database.ts';
import { PrimaryHistory } from '../database/postgres/connections/primary-history.ts';
import type { ServerOptions, ServingProcess, StopOptions } from '../main.ts';
import type { WorkerReports } from '../rates/worker-reports.ts';
import { withinMs } from '../time/within-ms.ts';
import type { AllRatesMessage, SupervisorMessage, WorkerMessage } from './messages.ts';
import { workerConsoleVariable, workerPortVariable, workerPrimaryVariable } from './worker-variables.ts';

/** Returns whether this process was started by `superviseWorkers`. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Where its supervisor lets a worker listen. */
export type WorkerAddress = Pick<Settings, 'port' | 'consoleListen'>;

/** A worker rereads its master keys only when their files change: its supervisor receives the SIGHUP. */
type WorkingServer = Omit<ServingProcess, 'rereadKeys'>;

/**
 * Starts the server of a worker.
 *
 * @param configuration text of the configuration file, as the supervisor read it; `undefined` when there is none
 */
type StartWorker = (
  address: WorkerAddress,
  options: ServerOptions,
  configuration: string | undefined,
) => Promise<WorkingServer>;

/**
 * Serves on the supervisor's port until the supervisor says to stop or is gone, then ends the process. Calls under way
 * are answered first.
 *
 * @param reportFailedStop says on standard error why the stop failed; the process then ends with 1
 */
export async function serveAsWorker(
  start: StartWorker,
  reportFailedStop: (error: unknown) => void,
): Promise<void> {
  // Ctrl-C in a terminal reaches every process of the group; the supervisor decides what it means.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('SIGHUP', () => {});
  let server: WorkingServer | undefined;
  const told = untilToldToStart();
  // It serves nobody yet. If it went on, it would open the port again after the others have closed it.
  process.on('message', ({ kind }: SupervisorMessage) => {
    if (kind === 'stop' && server === undefined) process.exit(0);
  });
  const primaryHistory = sharePrimaryHistory();
  const { [workerPortVariable]: port, [workerConsoleVariable]: consoleListen = '' } = process.env;
  const sendMetrics = async () => {
    const snapshot = await server?.readMetrics?.();
    if (snapshot !== undefined) await sendToSupervisor({ kind: 'metrics', snapshot });
  };
  let stopping = false;
  const stop = async (options: StopOptions) => {
    if (stopping) return;
    stopping = true;
    let exitCode = 0;
    try {
      await server?.stop(options);
    } catch (error) {
      exitCode = 1;
      reportFailedStop(error);
    }
    await sendMetrics();
    process.exit(exitCode);
  };
  // Node.js ends a worker that loses its supervisor, in a listener of its own.
  // This one runs before it and prevents that.
  process.prependListener('disconnect', () => {
    if (server === undefined || cluster.worker === undefined) return;
    cluster.worker.exitedAfterDisconnect = true;
    void stop({ replaced: true });
  });
  // Node.js itself writes to the supervisor when the worker begins to listen. If the supervisor is gone by then, this
  // tells it, and without a listener the worker would crash. One that serves is stopped by the listener above.
  cluster.worker?.on('error', () => {
    if (server === undefined) process.exit(0);
  });
  server = await start(
    { port: Number(port), consoleListen },
    { primaryHistory, workerReports: new ReportsBySupervisor() },
    await told,
  ).catch(async (error: Error) => {
    await sendToSupervisor({ kind: 'failed', message: error.message });
    process.exit(1);
  });
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'stop') void stop(message.replaced ? { replaced: true } : { beforeClosing });
    else if (message.kind === 'read-metrics') void sendMetrics();
    else if (message.kind === 'ping') void sendToSupervisor({ kind: 'pong' });
  });
  const { url, consoleUrl, drainSeconds } = server;
  await sendToSupervisor({ kind: 'ready', url, consoleUrl, drainSeconds });
}

/** Resolves with the text of the configuration file, if there is one. */
function untilToldToStart(): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'start') resolve(message.configuration);
  });
  return promise;
}

/** Shares what the workers learn about the database's primary among all of them. */
function sharePrimaryHistory(): PrimaryHistory {
  const known = process.env[workerPrimaryVariable];
  const history = new PrimaryHistory(known === undefined ? undefined : JSON.parse(known));
  history.onNewer((seen) => void sendToSupervisor({ kind: 'primary', seen }));
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'primary') history.note(message.seen);
  });
  return history;
}

/** Exchanges the use of rate limits with the other workers through the supervisor. */
class ReportsBySupervisor implements WorkerReports {
  #known: Omit<AllRatesMessage, 'kind'> = { siblings: {}, remote: {}, isLeader: false };

  constructor() {
    process.on('message', (message: SupervisorMessage) => {
      if (message.kind === 'rates') this.#known = message;
    });
  }

  get siblings(): RateReports {
    return this.#known.siblings;
  }

  get remote(): RateReports {
    return this.#known.remote;
  }

  get isLeader(): boolean {
    return this.#known.isLeader;
  }

  publish(own: RateReports, remote?: RateReports): void {
    void sendToSupervisor({ kind: 'rates', own, ...(remote && { remote }) });
  }
}

/** How long a worker waits for the others, in milliseconds. One that does not answer must not hold up the stop. */
const othersMsMax = 1_000;

/**
 * Resolves once the supervisor holds the port no more. It holds the port as long as it has a channel to a worker that
 * listens, and accepts nothing: connections that arrive after the last worker has closed its own side would be reset.
 */
async function beforeClosing(): Promise<void> {
  const { promise: letGo, resolve } = Promise.withResolvers<void>();
  process.once('disconnect', () => resolve());
  await sendToSupervisor({ kind: 'closing' });
  if (process.connected) await withinMs(letGo, othersMsMax, () => {});
}

function sendToSupervisor(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}
