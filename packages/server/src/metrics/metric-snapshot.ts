import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';

/** The metrics of one process at one moment, as JSON, so that workers can send it. */
export type MetricSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics in the text format of Prometheus. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Writes the metrics of all processes as one, in the text format of Prometheus. */
export async function exposeSnapshots(snapshots: readonly MetricSnapshot[]): Promise<Exposition> {
  const registry = AggregatorRegistry.aggregate([...snapshots]);
  return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: await registry.metrics() };
}

/** Adds up what must not go backwards when a process ends: counters and histograms, but no gauges. */
export async function addTotals(totals: MetricSnapshot, ended: MetricSnapshot): Promise<MetricSnapshot> {
  const growing = ended.filter(({ type }) => isGrowing(type));
  return AggregatorRegistry.aggregate([totals, growing].map((each) => [...each])).getMetricsAsJSON();
}

/** The type declares numbers, but prom-client has always used strings. */
function isGrowing(type: unknown): boolean {
  return type === 'counter' || type === 'histogram';
}
