import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type HostAndPort, joinHostAndPort, splitHostAndPort } from '../config.ts';
import { PrimaryHistory } from '../database/postgres/connections/primary-history.ts';
import type { Logger } from '../logging/logger.ts';
import { ListenError, type RunningServer } from '../main.ts';
import { freePort } from './free-port.ts';
import type { ReadyMessage, SupervisorMessage, WorkerMessage } from './messages.ts';
import { type ServedMetrics, serveMetricsOfWorkers } from './metrics-of-workers.ts';
import { RateRelay } from './rate-relay.ts';
import { RestartPause, type RestartPlan } from './restart-pause.ts';
import type { WorkerAddress } from './serve-as-worker.ts';
import { workerConsoleVariable, workerPortVariable, workerPrimaryVariable } from './worker-variables.ts';
import { WorkerWatch } from './worker-watch.ts';

/** Several processes on one port, which can be replaced one after another. */
export interface SupervisedWorkers extends RunningServer {
  /**
   * Replaces every worker: the new one serves before the old one stops. No request fails. A worker that waits out a
   * pause before its start is started now, because the cause may be gone.
   */
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
  /** How long a worker that starts may wait for its database. */
  readonly waitForDatabaseSeconds: number;
}

/**
 * Starts the workers by running this program's entry again; see `serveAsWorker`. A worker that dies or hangs is
 * replaced while the others keep serving.
 *
 * @param tickMs how often workers are asked whether they still run; the limits of `WorkerWatch` count these ticks
 * @throws {ListenError} when the first workers cannot start
 */
export async function superviseWorkers(
  { workers, host, port, metrics, consoleListen, waitForDatabaseSeconds }: WorkerSettings,
  logger: Logger,
  tickMs?: number,
): Promise<SupervisedWorkers> {
  // By default, Node.js accepts connections here and hands them out. A connection handed to a worker that dies stays
  // open in this process and hangs; a worker that accepts connections itself takes them with it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const address = {
    port: await fixedPort({ host, port }),
    consoleListen: consoleListen === '' ? '' : await fixedAddress(consoleListen),
  };
  const watch = new WorkerWatch(logger, waitForDatabaseSeconds, tickMs);
  const supervisor = new Supervisor(workers, address, logger, watch);
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

/** The place of a worker that ended, and how long that one served. */
interface ServedPlace {
  readonly pause: RestartPause;
  readonly servedMs: number;
}

class Supervisor implements SupervisedWorkers {
  readonly #count: number;
  readonly #address: WorkerAddress;
  readonly #logger: Logger;
  readonly #watch: WorkerWatch;
  /** Forked workers that have not ended. */
  readonly #running = new Set<Worker>();
  readonly #serving = new Set<Worker>();
  /** Forked workers that have not run any code of this program yet. */
  readonly #notOnline = new Set<Worker>();
  readonly #history = new PrimaryHistory();
  readonly #rates = new RateRelay<Worker>((worker, message) => send(worker, message));
  #metrics: ServedMetrics | undefined;
  readonly #stopped = new AbortController();
  /** Ends the pauses before the next starts. */
  #hurry = new AbortController();
  #restarting: Promise<void> = Promise.resolve();
  url = '';
  consoleUrl: string | undefined;

  constructor(count: number, address: WorkerAddress, logger: Logger, watch: WorkerWatch) {
    this.#count = count;
    this.#address = address;
    this.#logger = logger;
    this.#watch = watch;
    process.on('exit', () => {
      // This process ends before its workers have stopped, as a second signal demands. One that hangs would keep the port.
      // Before a worker runs this program, Node.js reports with a stack trace that its supervisor is gone.
      const left = this.#stopped.signal.aborted ? this.#running : this.#notOnline;
      for (const worker of left) worker.process.kill('SIGKILL');
    });
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
    this.#hurry.abort();
    const last = [...this.#serving];
    void letGoOfPort(last);
    // Others still start, and stop once they have, or have been told to stop and may hang.
    const others = [...this.#running].filter((worker) => !this.#serving.has(worker));
    for (const worker of others) this.#watch.expectEnd(worker, true);
    await Promise.all([
      ...last.map((worker) => this.#stopWorker(worker, false)),
      ...others.map((worker) => once(worker, 'exit')),
    ]);
    this.#watch.end();
    await this.#metrics?.stop();
  }

  restart(): Promise<void> {
    this.#hurry.abort();
    this.#hurry = new AbortController();
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

  /** @param pause that of the worker's place, which remembers how the workers before it ended */
  async #addWorker(pause = new RestartPause()): Promise<Worker> {
    const worker = this.#fork();
    ({ url: this.url, consoleUrl: this.consoleUrl } = await untilReady(worker).catch((error) => {
      if (!this.#stopped.signal.aborted) this.#metrics?.countEnd();
      throw error;
    }));
    this.#serving.add(worker);
    this.#logger.info({ pid: worker.process.pid }, 'a worker started');
    const sinceMs = performance.now();
    worker.once('exit', (code, signal) => {
      if (!this.#serving.delete(worker)) return;
      this.#metrics?.countEnd();
      const end = { exit_code: code, signal };
      void this.#replaceDead(worker, end, { pause, servedMs: performance.now() - sinceMs });
    });
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
    this.#running.add(worker);
    this.#watch.add(worker);
    this.#notOnline.add(worker);
    worker.once('online', () => this.#notOnline.delete(worker));
    worker.once('exit', () => {
      forget();
      this.#running.delete(worker);
      this.#notOnline.delete(worker);
      this.#rates.forget(worker);
    });
    this.#metrics?.add(worker);
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'primary') this.#history.note(message.seen);
      else if (message.kind === 'rates') this.#rates.take(worker, message);
    });
    return worker;
  }

  async #replaceDead(worker: Worker, end: WorkerEnd, { pause, servedMs }: ServedPlace): Promise<void> {
    const { pid } = worker.process;
    let plan = pause.planAfter(servedMs);
    this.#logger.error({ pid, ...end, ...describeEnd(servedMs, plan) }, endMessage(plan));
    for (;;) {
      if (plan.pauseMs > 0)
        await delay(plan.pauseMs, undefined, { signal: this.#hurry.signal }).catch(() => {});
      if (this.#stopped.signal.aborted) return;
      try {
        await this.#addWorker(pause);
        return;
      } catch (error) {
        plan = pause.planAfter(0);
        const reason = (error as Error).message;
        const fields = { replaced_pid: pid, reason, pause_ms: plan.pauseMs };
        this.#logger.error(fields, 'the replacement did not start; trying again');
      }
    }
  }

  async #stopWorker(worker: Worker, replaced: boolean): Promise<void> {
    this.#serving.delete(worker);
    if (worker.isDead()) return;
    const exited = once(worker, 'exit');
    send(worker, { kind: 'stop', replaced });
    this.#watch.expectEnd(worker, replaced);
    await exited;
    if (!worker.process.killed) this.#logger.info({ pid: worker.process.pid }, 'a worker stopped');
  }
}

/** Cuts the channels of the last workers once all of them are about to close the port, or have ended. */
async function letGoOfPort(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map(untilClosing));
  for (const { process } of workers) {
    if (!process.connected) continue;
    // Node.js closes its own copy of the port when it emits this event, but would emit it only after the worker has
    // seen the end of the channel and may have closed the port.
    process.emit('disconnect');
    process.disconnect();
  }
}

function untilClosing(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'closing') resolve();
  });
  worker.once('exit', () => resolve());
  return promise;
}

function describeEnd(servedMs: number, { endsInARow, pauseMs }: RestartPlan) {
  const served = { served_ms: Math.round(servedMs) };
  return pauseMs === 0 ? served : { ...served, ends_in_a_row: endsInARow, pause_ms: pauseMs };
}

function endMessage({ pauseMs }: RestartPlan): string {
  if (pauseMs === 0) return 'a worker ended unexpectedly; starting another';
  return 'a worker ended unexpectedly, again soon after its start; starting another after a pause';
}

/** Sends a message and ignores a failure: the worker may be gone. */
function send(worker: Worker, message: SupervisorMessage): void {
  worker.send(message, () => {});
}

/** Resolves once the worker listens, with what it says of its addresses. */
function untilReady(worker: Worker): Promise<ReadyMessage> {
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
    return 'a worker was killed with SIGKILL before it listened; if no line before this one says why, memory probably ran out: lower --workers or give the machine more';
  return `a worker ended with ${signal ?? `code ${code}`} before it listened; the lines before this one say why`;
}
