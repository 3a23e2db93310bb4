import type { MetricSource } from './metric-source.ts';

/** Describes the memory of this process. */
export function processMemory(): readonly MetricSource[] {
  return [
    {
      type: 'gauge',
      name: 'fieldroster_resident_memory_bytes',
      help: 'Resident memory of the processes that serve',
      ofWorkers: 'sum',
      read: () => process.memoryUsage.rss(),
    },
    {
      type: 'gauge',
      name: 'fieldroster_heap_used_bytes',
      help: 'JavaScript heap in use',
      ofWorkers: 'sum',
      read: () => process.memoryUsage().heapUsed,
    },
    {
      type: 'gauge',
      name: 'fieldroster_heap_size_bytes',
      help: 'JavaScript heap taken from the system',
      ofWorkers: 'sum',
      read: () => process.memoryUsage().heapTotal,
    },
  ];
}
