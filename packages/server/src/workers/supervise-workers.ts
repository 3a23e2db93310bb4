import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type HostAndPort, joinHostAndPort, splitHostAndPort } from '../config.ts';
import { PrimaryHistory } from '../database/postgres/primary-history.ts';
import type { Logger } from '../logging/logger.ts';
import { ListenError, type RunningServer } from '../main.ts';
import { freePort } from './free-port.ts';
import type { SupervisorMessage, WorkerMessage } from './messages.ts';
import { type ServedMetrics, serveMetricsOfWorkers } from './metrics-of-workers.ts';
import { RateRelay } from './rate-relay.ts';
import type { WorkerAddress } from './serve-as-worker.ts';
import { workerConsoleVariable, workerPortVariable, workerPrimaryVariable } from './worker-variables.ts';

/**
 * Base of the growing pause between attempts to replace a worker, so that one that dies at once is not started in a
 * loop.
 */
const restartPauseMs = 200;

/** Several processes on one port, which can be replaced one after another. */
export interface SupervisedWorkers extends RunningServer {
  /** Replaces every worker: the new one serves before the old one stops. No request fails. */
  restart(): Promise<void>;
}

/** How many workers, and where they listen. */
export interface WorkerSettings {
  readonly workers: number;
  readonly host: string;
  readonly port: number;
  /** Where the metrics of all workers are served; '' serves none. */
  readonly metrics: string;
  /** Host and port of the console's own listener; '' when it shares the port. */
  readonly consoleListen: string;
}

/**
 * Starts the workers by running this program's entry again; see `serveAsWorker`. A worker that dies is replaced while
 * the others keep serving.
 *
 * @throws {ListenError} when the first workers cannot start
 */
export async function superviseWorkers(
  { workers, host, port, metrics, consoleListen }: WorkerSettings,
  logger: Logger,
): Promise<SupervisedWorkers> {
  // By default, Node.js accepts connections here and hands them out. A connection handed to a worker that dies stays
  // open in this process and hangs; a worker that accepts connections itself takes them with it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const address = {
    port: await fixedPort({ host, port }),
    consoleListen: consoleListen === '' ? '' : await fixedAddress(consoleListen),
  };
  const supervisor = new Supervisor(workers, address, logger);
  await supervisor.start(metrics);
  return supervisor;
}

/** Chooses a port once, because workers would choose another one after all of them have died at once. */
async function fixedPort({ host, port }: HostAndPort): Promise<number> {
  return port === 0 ? await freePort(host) : port;
}

async function fixedAddress(text: string): Promise<string> {
  const address = splitHostAndPort(text);
  return joinHostAndPort({ ...address, port: await fixedPort(address) });
}

/** How a worker ended: with a code, or killed by a signal. */
interface WorkerEnd {
  readonly exit_code: number | null;
  readonly signal: string | null;
}

class Supervisor implements SupervisedWorkers {
  readonly #count: number;
  readonly #address: WorkerAddress;
  readonly #logger: Logger;
  readonly #serving = new Set<Worker>();
  readonly #history = new PrimaryHistory();
  readonly #rates = new RateRelay<Worker>((worker, message) => send(worker, message));
  #metrics: ServedMetrics | undefined;
  readonly #stopped = new AbortController();
  #restarting: Promise<void> = Promise.resolve();
  url = '';
  consoleUrl: string | undefined;

  constructor(count: number, address: WorkerAddress, logger: Logger) {
    this.#count = count;
    this.#address = address;
    this.#logger = logger;
  }

  async start(metrics: string): Promise<void> {
    try {
      if (metrics !== '') this.#metrics = await serveMetricsOfWorkers(metrics, this.#logger);
      // The first one starts alone, because it migrates the tables and makes the key file.
      await this.#addWorker();
      await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#addWorker()));
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#restarting.catch(() => {});
    await Promise.all([...this.#serving].map((worker) => this.#stopWorker(worker, false)));
    await this.#metrics?.stop();
  }

  restart(): Promise<void> {
    this.#restarting = this.#restarting.catch(() => {}).then(() => this.#replaceAll());
    return this.#restarting;
  }

  async #replaceAll(): Promise<void> {
    for (const old of [...this.#serving]) {
      if (this.#stopped.signal.aborted) return;
      // A worker that died in the meantime was already replaced; a second replacement would be one too many.
      if (!this.#serving.has(old)) continue;
      const added = await this.#addWorker();
      await this.#stopWorker(this.#serving.has(old) ? old : added, true);
    }
  }

  async #addWorker(): Promise<Worker> {
    const worker = this.#fork();
    ({ url: this.url, consoleUrl: this.consoleUrl } = await ready(worker));
    this.#serving.add(worker);
    this.#logger.info({ pid: worker.process.pid }, 'a worker started');
    worker.once('exit', (code, signal) => void this.#replaceDead(worker, { exit_code: code, signal }));
    // A stop during its start has not seen it, and would leave it behind.
    if (this.#stopped.signal.aborted) await this.#stopWorker(worker, true);
    return worker;
  }

  #fork(): Worker {
    const { newest } = this.#history;
    const worker = cluster.fork({
      [workerPortVariable]: String(this.#address.port),
      [workerConsoleVariable]: this.#address.consoleListen,
      ...(newest !== undefined && { [workerPrimaryVariable]: JSON.stringify(newest) }),
    });
    const forget = this.#history.onNewer((seen) => send(worker, { kind: 'primary', seen }));
    worker.once('exit', () => {
      forget();
      this.#rates.forget(worker);
    });
    this.#metrics?.add(worker);
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'primary') this.#history.note(message.seen);
      else if (message.kind === 'rates') this.#rates.take(worker, message);
    });
    return worker;
  }

  async #replaceDead(worker: Worker, end: WorkerEnd): Promise<void> {
    if (!this.#serving.delete(worker)) return;
    const { pid } = worker.process;
    this.#logger.error({ pid, ...end }, 'a worker ended unexpectedly; starting another');
    for (let attempt = 1; !this.#stopped.signal.aborted; attempt++) {
      try {
        await this.#addWorker();
        return;
      } catch (error) {
        const reason = (error as Error).message;
        this.#logger.error({ replaced_pid: pid, reason }, 'the replacement did not start; trying again');
        const pauseMs = Math.min(30_000, restartPauseMs * 2 ** attempt);
        await delay(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
      }
    }
  }

  async #stopWorker(worker: Worker, replaced: boolean): Promise<void> {
    this.#serving.delete(worker);
    if (worker.isDead()) return;
    const exited = once(worker, 'exit');
    send(worker, { kind: 'stop', replaced });
    await exited;
    this.#logger.info({ pid: worker.process.pid }, 'a worker stopped');
  }
}

/** Sends a message and ignores a failure: the worker may be gone. */
function send(worker: Worker, message: SupervisorMessage): void {
  worker.send(message, () => {});
}

type ReadyMessage = Extract<WorkerMessage, { kind: 'ready' }>;

/** Resolves once the worker listens, with what it says of its addresses. */
function ready(worker: Worker): Promise<ReadyMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadyMessage>();
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ready') resolve(message);
    else if (message.kind === 'failed') reject(new ListenError(message.message));
  });
  worker.once('exit', (code, signal) => reject(new ListenError(describeEarlyEnd(code, signal))));
  return promise;
}

function describeEarlyEnd(code: number | null, signal: string | null): string {
  if (signal === 'SIGKILL')
    return 'a worker was killed with SIGKILL before it listened; if memory ran out, lower --workers or give the machine more';
  return `a worker ended with ${signal ?? `code ${code}`} before it listened; the lines before this one say why`;
}
