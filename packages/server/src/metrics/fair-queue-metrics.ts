import type { MetricSource } from './metric-source.ts';

/** A queue of jobs that wait for one of a few slots. */
export interface MeasuredQueue {
  readonly running: number;
  readonly waiting: number;
  /** Jobs refused so far. */
  readonly refused: number;
}

interface Described {
  readonly names: Readonly<Record<'running' | 'queued' | 'refused', string>>;
  /** The jobs, as the subject of a sentence. */
  readonly jobs: string;
  /** How many run at once. */
  readonly slots: string;
}

/** Describes the metrics of a queue. Their number is fixed, because no application has its own. */
export function fairQueueMetrics(queue: MeasuredQueue, { names, jobs, slots }: Described): MetricSource[] {
  return [
    {
      type: 'gauge',
      name: names.running,
      help: `${jobs} that have a slot; ${slots}`,
      ofWorkers: 'sum',
      read: () => queue.running,
    },
    {
      type: 'gauge',
      name: names.queued,
      help: `${jobs} that wait for a slot`,
      ofWorkers: 'sum',
      read: () => queue.waiting,
    },
    {
      type: 'counter',
      name: names.refused,
      help: `${jobs} refused with 1503, because too many of the same application were waiting, or because they had waited too long`,
      read: () => queue.refused,
    },
  ];
}
