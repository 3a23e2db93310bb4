import type { GaugeSource } from './metric-source.ts';

/** @param read returns when the last verified backup began, in Unix milliseconds, or `undefined` if none is known */
export function lastBackup(read: () => Promise<number | undefined>): GaugeSource {
  return {
    type: 'gauge',
    name: 'fieldroster_last_backup_timestamp_seconds',
    help: 'When the last good backup began, in Unix seconds; absent if none is known',
    ofWorkers: 'max',
    async read() {
      const beganAtMs = await read();
      return beganAtMs === undefined ? undefined : beganAtMs / 1000;
    },
  };
}
