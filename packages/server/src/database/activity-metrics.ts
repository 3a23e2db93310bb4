import type { GaugeSource } from '../metrics/metric-source.ts';

export function queuedWrites(read: () => number): GaugeSource {
  return {
    type: 'gauge',
    name: 'fieldroster_queued_writes',
    help: 'Writes that wait in the queue',
    ofWorkers: 'sum',
    read,
  };
}

/** @param read returns bytes */
export function databaseSize(read: () => number | Promise<number>): GaugeSource {
  return {
    type: 'gauge',
    name: 'fieldroster_database_size_bytes',
    help: 'Size of the database, including the log of an embedded one',
    ofWorkers: 'max',
    async read() {
      return read();
    },
  };
}
