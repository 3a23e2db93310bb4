import { toListenError } from '../machine/listen-error.ts';
import type { Exposition, MetricSnapshot } from './metric-snapshot.ts';
import type { MetricSource } from './metric-source.ts';
import type { MetricsListener } from './metrics-listener.ts';

// This file loads the rest on demand: a server without metrics does not need prom-client.

/** Metrics of this process that somebody collects. */
export interface RunningMetrics {
  snapshot(): Promise<MetricSnapshot>;
  /** Where Prometheus scrapes; `undefined` in a worker, whose supervisor listens. */
  readonly url: string | undefined;
  stop(): Promise<void>;
}

/**
 * Collects the metrics of this process.
 *
 * @param address where to serve them; `undefined` serves none
 * @throws {ListenError}
 */
export async function startMetrics(
  sources: readonly MetricSource[],
  address: string | undefined,
): Promise<RunningMetrics> {
  const { ServerMetrics } = await import('./server-metrics.ts');
  const metrics = new ServerMetrics(sources);
  const snapshot = () => metrics.snapshot();
  const listener =
    address === undefined ? undefined : await serveMetrics(address, async () => [await snapshot()]);
  const stop = async () => {
    await listener?.stop();
    metrics.stop();
  };
  return { snapshot, url: listener?.url, stop };
}

/**
 * Serves the metrics of one or several processes as one.
 *
 * @throws {ListenError}
 */
export async function serveMetrics(
  address: string,
  collect: () => Promise<readonly MetricSnapshot[]>,
): Promise<MetricsListener> {
  const { MetricsListener } = await import('./metrics-listener.ts');
  const { exposeSnapshots } = await import('./metric-snapshot.ts');
  const expose = async (): Promise<Exposition> => exposeSnapshots(await collect());
  const setting = '--metrics or FIELDROSTER_METRICS';
  return MetricsListener.start(address, expose).catch((error) => {
    throw toListenError(error, address, { port: setting, host: setting });
  });
}
