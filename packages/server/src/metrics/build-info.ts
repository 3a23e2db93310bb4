import type { GaugeSource } from './metric-source.ts';

/** Shows which release runs. During an upgrade, workers of both may. */
export function buildInfo(release: string): GaugeSource {
  return {
    type: 'gauge',
    name: 'fieldroster_build_info',
    help: 'The release that runs, in a label; the value is always 1.',
    ofWorkers: 'max',
    labels: { release },
    read: () => 1,
  };
}
