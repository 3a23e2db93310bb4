import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { PrimaryHistory } from '../database/postgres/connections/primary-history.ts';
import type { Logger } from '../logging/logger.ts';
import { fixedAddress, fixedPort } from './fixed-port.ts';
import { forkWorker } from './fork-worker.ts';
import { letGoOfPort } from './let-go-of-port.ts';
import type { SupervisorMessage, WorkerMessage } from './messages.ts';
import { type ServedMetrics, serveMetricsOfWorkers } from './metrics-of-workers.ts';
import { RateRelay } from './rate-relay.ts';
import { RestartPause } from './restart-pause.ts';
import type { WorkerAddress } from './serve-as-worker.ts';
import type { SupervisedWorkers, WorkerSettings } from './supervised-workers.ts';
import { untilReady } from './until-ready.ts';
import {
  noConfiguration,
  type Reading,
  type Trial,
  type WorkerConfiguration,
} from './worker-configuration.ts';
import {
  describeEnd,
  endMessage,
  failedStop,
  killedStop,
  type ServedPlace,
  type WorkerEnd,
} from './worker-end.ts';
import { workerConsoleVariable, workerPortVariable, workerPrimaryVariable } from './worker-variables.ts';
import { WorkerWatch } from './worker-watch.ts';

interface SupervisionOptions {
  /** No file when left out. */
  readonly configuration?: WorkerConfiguration;
  /** How often workers are asked whether they still run; the limits of `WorkerWatch` count these ticks. */
  readonly tickMs?: number;
}

/**
 * Starts the workers by running this program's entry again; see `serveAsWorker`. A worker that dies or hangs is
 * replaced while the others keep serving. Resolves once the first one serves: from then on, a stop must be orderly.
 *
 * @throws {ListenError} when the first worker cannot start
 */
export async function superviseWorkers(
  { workers, host, port, metrics, consoleListen, waitForDatabaseSeconds }: WorkerSettings,
  logger: Logger,
  { configuration = noConfiguration, tickMs }: SupervisionOptions = {},
): Promise<SupervisedWorkers> {
  // By default, Node.js accepts connections here and hands them out. A connection handed to a worker that dies stays
  // open in this process and hangs; a worker that accepts connections itself takes them with it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const address = {
    port: await fixedPort({ host, port }),
    consoleListen: consoleListen === '' ? '' : await fixedAddress(consoleListen),
  };
  const watch = new WorkerWatch(logger, waitForDatabaseSeconds, tickMs);
  const supervisor = new Supervisor({ count: workers, address, configuration }, logger, watch);
  await supervisor.start(metrics);
  return supervisor;
}

interface Supervision {
  readonly count: number;
  readonly address: WorkerAddress;
  readonly configuration: WorkerConfiguration;
}

class Supervisor implements SupervisedWorkers {
  readonly #supervision: Supervision;
  readonly #logger: Logger;
  readonly #watch: WorkerWatch;
  /** Forked workers that have not ended. */
  readonly #running = new Set<Worker>();
  readonly #serving = new Map<Worker, Reading>();
  /** The last one that a worker served with. Replacements of dead workers start with it. */
  #accepted: Reading;
  /** A reading that a restart found while no worker served: the accepted one may be the reason why none does. */
  #trial: Trial | undefined;
  /** Forked workers that have not run any code of this program yet. */
  readonly #notOnline = new Set<Worker>();
  readonly #history = new PrimaryHistory();
  readonly #rates = new RateRelay<Worker>((worker, message) => send(worker, message));
  #metrics: ServedMetrics | undefined;
  readonly #stopped = new AbortController();
  /** Ends the pauses before the next starts. */
  #hurry = new AbortController();
  #restarting: Promise<void> = Promise.resolve();
  allServing: Promise<void> = Promise.resolve();
  url = '';
  consoleUrl: string | undefined;

  constructor(supervision: Supervision, logger: Logger, watch: WorkerWatch) {
    this.#supervision = supervision;
    this.#accepted = supervision.configuration;
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
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.allServing = this.#addOthers();
    // The caller may stop before it awaits them.
    this.allServing.catch(() => {});
  }

  async #addOthers(): Promise<void> {
    try {
      await Promise.all(Array.from({ length: this.#supervision.count - 1 }, () => this.#addWorker()));
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#hurry.abort();
    this.#trial?.resolve();
    const last = [...this.#serving.keys()];
    void letGoOfPort(last);
    // Others still start, or have been told to stop and may hang.
    const others = [...this.#running].filter((worker) => !this.#serving.has(worker));
    for (const worker of others) {
      send(worker, { kind: 'stop', replaced: true });
      this.#watch.expectEnd(worker, true);
    }
    await Promise.all([
      ...last.map((worker) => this.#stopWorker(worker, false)),
      ...others.map((worker) => once(worker, 'exit')),
    ]);
    this.#watch.end();
    await this.#metrics?.stop();
  }

  restart(): Promise<void> {
    return this.#afterOtherRestarts(async () => {
      const reading = this.#readAgain();
      if (this.#serving.size === 0 && !this.#stopped.signal.aborted) await this.#tryWhereNoneServes(reading);
      await this.#replaceOthers(reading);
    });
  }

  /** Resolves once a worker serves, with this reading or with an earlier one. */
  async #tryWhereNoneServes(reading: Reading): Promise<void> {
    this.#trial = { reading, ...Promise.withResolvers<void>() };
    await this.#trial.promise;
  }

  #afterOtherRestarts(work: () => Promise<void>): Promise<void> {
    this.#restarting = this.#restarting.catch(() => {}).then(work);
    return this.#restarting;
  }

  #readAgain(): Reading {
    try {
      return { text: this.#supervision.configuration.reread() };
    } finally {
      this.#hurry.abort();
      this.#hurry = new AbortController();
    }
  }

  /** Replaces the workers that serve with any other reading. */
  async #replaceOthers(reading: Reading): Promise<void> {
    for (;;) {
      const [old] = [...this.#serving].find(([, its]) => its !== reading) ?? [];
      if (old === undefined || this.#stopped.signal.aborted) return;
      const added = await this.#addWorker(new RestartPause(), reading);
      this.#accepted = reading;
      // One that died in the meantime was already replaced; a second replacement would be one too many.
      await this.#stopWorker(this.#serving.has(old) ? old : added, true);
    }
  }

  /** @param pause that of the worker's place, which remembers how the workers before it ended */
  async #addWorker(pause = new RestartPause(), reading = this.#accepted): Promise<Worker> {
    const worker = await this.#fork();
    send(worker, { kind: 'start', ...(reading.text !== undefined && { configuration: reading.text }) });
    ({ url: this.url, consoleUrl: this.consoleUrl } = await untilReady(worker).catch((error) => {
      if (!this.#stopped.signal.aborted) this.#metrics?.countEnd();
      throw error;
    }));
    this.#serving.set(worker, reading);
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

  #fork(): Promise<Worker> {
    const { newest } = this.#history;
    const { address } = this.#supervision;
    const environment = {
      [workerPortVariable]: String(address.port),
      [workerConsoleVariable]: address.consoleListen,
      ...(newest !== undefined && { [workerPrimaryVariable]: JSON.stringify(newest) }),
    };
    return forkWorker(environment, (worker) => this.#adopt(worker));
  }

  #adopt(worker: Worker): void {
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
  }

  async #replaceDead(worker: Worker, end: WorkerEnd, { pause, servedMs }: ServedPlace): Promise<void> {
    const { pid } = worker.process;
    let plan = pause.planAfter(servedMs);
    this.#logger.error({ pid, ...end, ...describeEnd(servedMs, plan) }, endMessage(plan));
    for (;;) {
      if (plan.pauseMs > 0)
        await delay(plan.pauseMs, undefined, { signal: this.#hurry.signal }).catch(() => {});
      if (this.#stopped.signal.aborted) return;
      const trial = this.#trial;
      try {
        const added = await this.#addWorker(pause, trial?.reading);
        if (trial !== undefined && trial === this.#trial) this.#accepted = trial.reading;
        this.#trial?.resolve();
        this.#trial = undefined;
        if (this.#serving.get(added) !== this.#accepted) this.#replaceLate();
        return;
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        trial?.reject(error);
        if (trial === this.#trial) this.#trial = undefined;
        plan = pause.planAfter(0);
        const reason = (error as Error).message;
        const fields = { replaced_pid: pid, reason, pause_ms: plan.pauseMs };
        this.#logger.error(fields, 'the replacement did not start; trying again');
      }
    }
  }

  /** Replaces a worker that was starting with an earlier reading while all others were replaced. */
  #replaceLate(): void {
    this.#afterOtherRestarts(() => this.#replaceOthers(this.#accepted)).catch(({ message }: Error) =>
      this.#logger.error({ reason: message }, 'a worker with earlier settings was not replaced'),
    );
  }

  async #stopWorker(worker: Worker, replaced: boolean): Promise<void> {
    this.#serving.delete(worker);
    if (worker.isDead()) return;
    const exited = once(worker, 'exit');
    send(worker, { kind: 'stop', replaced });
    this.#watch.expectEnd(worker, replaced);
    const [code, signal] = await exited;
    const { pid, killed } = worker.process;
    if (killed) return;
    if (code === 0) this.#logger.info({ pid }, 'a worker stopped');
    else this.#logger.warn({ pid, exit_code: code, signal }, signal === null ? failedStop : killedStop);
  }
}

/** Sends a message and ignores a failure: the worker may be gone. */
function send(worker: Worker, message: SupervisorMessage): void {
  worker.send(message, () => {});
}
