import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import { withinMs } from '../time/within-ms.ts';
import { CollectedHistogram } from './collected-histogram.ts';
import { EventLoop } from './event-loop.ts';
import type { MetricSnapshot } from './metric-snapshot.ts';
import type { CounterSource, GaugeSource, MetricSource } from './metric-source.ts';
import { processMemory } from './process-memory.ts';

/** How long a gauge may take; a database that hangs must not hold up the scrape. */
const readTimeoutMsDefault = 1_000;

/** The metrics of one process. */
export class ServerMetrics {
  readonly #registry = new Registry();
  readonly #eventLoop = new EventLoop();

  /** @param sources the metrics of the server's parts; the constructor adds those of the process itself */
  constructor(sources: readonly MetricSource[], readTimeoutMs = readTimeoutMsDefault) {
    for (const source of [...sources, ...this.#eventLoop.metricSources(), ...processMemory()])
      this.#registry.registerMetric(metricOf(source, readTimeoutMs));
  }

  /** Reads all metrics. One that cannot be read has no values. */
  snapshot(): Promise<MetricSnapshot> {
    return this.#registry.getMetricsAsJSON();
  }

  stop(): void {
    this.#eventLoop.stop();
  }
}

/** Reads metrics of a process that does not serve, without those of the process itself. */
export function readMetrics(sources: readonly MetricSource[]): Promise<MetricSnapshot> {
  const registry = new Registry();
  for (const source of sources) registry.registerMetric(metricOf(source, readTimeoutMsDefault));
  return registry.getMetricsAsJSON();
}

function metricOf(source: MetricSource, readTimeoutMs: number): Metric {
  if (source.type === 'counter') return counterOf(source);
  if (source.type === 'gauge') return gaugeOf(source, readTimeoutMs);
  return new CollectedHistogram(source);
}

function counterOf(source: CounterSource): Counter {
  const { name, help, labelNames = [], read } = source;
  return new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [],
    collect() {
      this.reset();
      const samples = read.call(source);
      if (typeof samples === 'number') this.inc(samples);
      else for (const { labels = {}, value } of samples) this.inc(labels, value);
    },
  });
}

function gaugeOf(source: GaugeSource, readTimeoutMs: number): Gauge {
  const { name, help, ofWorkers, labels = {} } = source;
  return new Gauge({
    name,
    help,
    labelNames: Object.keys(labels),
    aggregator: ofWorkers,
    registers: [],
    async collect() {
      const value = await readInTime(source, readTimeoutMs);
      // A gauge without labels has the value 0 unless it is removed.
      if (value === undefined) this.remove();
      else this.set(labels, value);
    },
  });
}

/** Returns `undefined` where the number is not known now, cannot be read, or takes too long. */
async function readInTime(source: GaugeSource, readTimeoutMs: number): Promise<number | undefined> {
  try {
    return await withinMs(Promise.resolve(source.read()), readTimeoutMs, () => undefined);
  } catch {
    return undefined;
  }
}
