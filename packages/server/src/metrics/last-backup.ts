import type { GaugeSource } from './metric-source.ts';

/** @param read returns the end of the last verified backup in Unix milliseconds, or `undefined` if none is known */
export function lastBackup(read: () => Promise<number | undefined>): GaugeSource {
  return {
    type: 'gauge',
    name: 'fieldroster_last_backup_timestamp_seconds',
    help: 'When the last good backup ended, in Unix seconds; absent if none is known',
    ofWorkers: 'max',
    async read() {
      const endedAtMs = await read();
      return endedAtMs === undefined ? undefined : endedAtMs / 1000;
    },
  };
}
