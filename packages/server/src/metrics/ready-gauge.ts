import type { GaugeSource } from './metric-source.ts';

/** Its name, for those that combine the values of workers. */
export const readyName = 'fieldroster_ready';

/** Says whether the node is ready. Of several workers, the worst counts. */
export function readyGauge(isReady: () => boolean): GaugeSource {
  return {
    type: 'gauge',
    name: readyName,
    help: '1 while the node is ready as /readyz reports it, 0 otherwise; the worst of several workers',
    ofWorkers: 'min',
    read: () => Number(isReady()),
  };
}
