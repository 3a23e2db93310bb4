import type { MetricSource } from '../../../metrics/metric-source.ts';
import { queuedWrites } from '../../activity-metrics.ts';
import type { FailoverPool } from './failover-pool.ts';
import type { FairConnections } from './fair-connections.ts';

/** The connections whose use is reported. */
export interface ConnectionUse {
  readonly pool: Pick<FailoverPool, 'use'>;
  readonly reads: Pick<FairConnections, 'waiting'>;
  readonly writes: Pick<FairConnections, 'waiting'>;
  /** Maximum number of connections. */
  readonly poolSize: number;
}

/** Describes how busy the connections to PostgreSQL are. */
export function connectionMetrics({ pool, reads, writes, poolSize }: ConnectionUse): readonly MetricSource[] {
  const gauge = (name: string, help: string, read: () => number): MetricSource => {
    return { type: 'gauge', name, help, ofWorkers: 'sum', read };
  };
  return [
    queuedWrites(() => writes.waiting),
    gauge('fieldroster_pool_connections_in_use', 'PostgreSQL connections that work', () => pool.use.inUse),
    gauge(
      'fieldroster_pool_requests_waiting',
      'Requests that wait for a connection',
      () => reads.waiting + pool.use.waiting,
    ),
    gauge('fieldroster_pool_connections_max', 'PostgreSQL connections that requests may use', () => poolSize),
  ];
}
