import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from '../logging/logger.ts';
import type { MetricSnapshot } from '../metrics/metric-snapshot.ts';
import type { CounterSource } from '../metrics/metric-source.ts';
import { readyGauge, readyName } from '../metrics/ready-gauge.ts';
import { serveMetrics } from '../metrics/start-metrics.ts';
import { withinMs } from '../time/within-ms.ts';
import type { SupervisorMessage, WorkerMessage } from './messages.ts';

/** How long a scrape waits for a worker. After that, it takes the values that the worker sent last, as not ready. */
const answerTimeoutMs = 2_000;

/** The metrics of all workers, served as one. */
export interface ServedMetrics {
  /** Includes a worker from its start on. */
  add(worker: Worker): void;
  /** Counts a worker that ended without being told to. */
  countEnd(): void;
  stop(): Promise<void>;
}

/**
 * Serves the metrics of all workers as one.
 *
 * @throws {ListenError}
 */
export async function serveMetricsOfWorkers(address: string, logger: Logger): Promise<ServedMetrics> {
  const { addTotals } = await import('../metrics/metric-snapshot.ts');
  const { readMetrics } = await import('../metrics/server-metrics.ts');
  const workers = new WorkerMetrics(addTotals);
  let ends = 0;
  const ended: CounterSource = {
    type: 'counter',
    name: 'fieldroster_workers_ended_total',
    help: 'Workers that crashed, hung or were killed, or ended before they listened; others take their places',
    read: () => ends,
  };
  const notReady = readyGauge(() => false);
  const collect = async () => {
    const ofWorkers = await workers.collect();
    const own = ofWorkers.some(saysWhetherReady) ? [ended] : [ended, notReady];
    return [...ofWorkers, await readMetrics(own)];
  };
  const listener = await serveMetrics(address, collect);
  logger.info({ url: listener.url }, 'metrics listening');
  return {
    add: (worker) => void workers.add(worker),
    countEnd: () => {
      ends += 1;
    },
    stop: () => listener.stop(),
  };
}

/** The last values of a worker, and the scrapes that wait for its next ones. */
interface Reports {
  /** Whether it can answer; a worker that still starts is not asked. */
  ready: boolean;
  /** Whether it did not answer the last request for its values in time. */
  silent: boolean;
  last: MetricSnapshot;
  next: PromiseWithResolvers<void>;
}

type AddTotals = (totals: MetricSnapshot, ended: MetricSnapshot) => Promise<MetricSnapshot>;

class WorkerMetrics {
  readonly #addTotals: AddTotals;
  readonly #reports = new Map<Worker, Reports>();
  /** Counters of the workers that have ended, because a total must never decrease. */
  #ended: MetricSnapshot = [];
  #folding: Promise<void> = Promise.resolve();

  constructor(addTotals: AddTotals) {
    this.#addTotals = addTotals;
  }

  async add(worker: Worker): Promise<void> {
    const reports: Reports = { ready: false, silent: false, last: [], next: Promise.withResolvers() };
    this.#reports.set(worker, reports);
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') {
        reports.ready = true;
        // Without any values, a worker that hangs before the first scrape would not count.
        request(worker);
      }
      if (message.kind !== 'metrics') return;
      reports.silent = false;
      reports.last = message.snapshot;
      this.#release(reports);
    });
    // The channel closes after the worker's last message has been read.
    await Promise.all([once(worker, 'exit'), once(worker, 'disconnect')]);
    this.#release(reports);
    this.#folding = this.#folding.then(() => this.#fold(worker, reports.last));
  }

  /** Returns the newest values of each worker, and the totals of those that have ended. */
  async collect(): Promise<readonly MetricSnapshot[]> {
    await Promise.all([...this.#reports].map(([worker, reports]) => ask(worker, reports)));
    return [this.#ended, ...[...this.#reports.values()].map(newest)];
  }

  /** Moves the counters of a worker that has ended to those of all before it. */
  async #fold(worker: Worker, last: MetricSnapshot): Promise<void> {
    this.#ended = await this.#addTotals(this.#ended, last);
    this.#reports.delete(worker);
  }

  #release(reports: Reports): void {
    reports.next.resolve();
    reports.next = Promise.withResolvers();
  }
}

/** Resolves once the worker has sent its values, has ended, or takes too long. */
async function ask(worker: Worker, reports: Reports): Promise<void> {
  if (!reports.ready || !worker.isConnected()) return;
  request(worker);
  await withinMs(reports.next.promise, answerTimeoutMs, () => {
    reports.silent = true;
  });
}

function request(worker: Worker): void {
  const message: SupervisorMessage = { kind: 'read-metrics' };
  worker.send(message, () => {});
}

/** Without a worker that says so, the node would look neither ready nor gone. */
function saysWhetherReady(snapshot: MetricSnapshot): boolean {
  return snapshot.some(({ name, values }) => name === readyName && values.length > 0);
}

/** The values that a worker sent last. One that hangs cannot report that it is not ready. */
function newest({ silent, last }: Reports): MetricSnapshot {
  if (!silent) return last;
  return last.map((metric) => {
    if (metric.name !== readyName) return metric;
    return { ...metric, values: metric.values.map((sample) => ({ ...sample, value: 0 })) };
  });
}
