import type { RateReports } from '../database/database.ts';
import type { PrimarySeen } from '../database/postgres/connections/primary-history.ts';
import type { MetricSnapshot } from '../metrics/metric-snapshot.ts';

/** Reports a newer primary of the database to the other side. */
interface PrimaryMessage {
  readonly kind: 'primary';
  readonly seen: PrimarySeen;
}

/** Reports a worker's use of rate limits, and what other nodes reported if the worker asked them. */
interface OwnRatesMessage {
  readonly kind: 'rates';
  readonly own: RateReports;
  readonly remote?: RateReports;
}

/** Tells a worker what all others reported, and whether it exchanges reports with other nodes. */
export interface AllRatesMessage {
  readonly kind: 'rates';
  readonly siblings: RateReports;
  readonly remote: RateReports;
  readonly isLeader: boolean;
}

/** Says that a worker listens, where, and for how long it serves on once it is told to stop. */
export interface ReadyMessage {
  readonly kind: 'ready';
  readonly url: string;
  readonly consoleUrl: string | undefined;
  readonly drainSeconds: number;
}

/**
 * Message from a worker to its supervisor. An upgrade runs workers of the next release under this supervisor: add kinds,
 * never require or change one.
 *
 * With `closing`, a worker that is told to stop, and not replaced, says that it would now close the port. It waits until
 * the supervisor has cut the channel.
 */
export type WorkerMessage =
  | ReadyMessage
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'closing' }
  | { readonly kind: 'pong' }
  | OwnRatesMessage
  | PrimaryMessage
  | MetricsMessage;

/** The metrics of a worker: its answer to a request for them, or its last values before it ends. */
interface MetricsMessage {
  readonly kind: 'metrics';
  readonly snapshot: MetricSnapshot;
}

/**
 * Lets a worker start, with the text of the configuration file if there is one. The text may hold a password, which the
 * environment would pass on to the worker's own children.
 */
interface StartMessage {
  readonly kind: 'start';
  readonly configuration?: string;
}

/**
 * Message from the supervisor to a worker. An upgrade runs workers of the next release under this supervisor: add kinds,
 * never require or change one.
 */
export type SupervisorMessage =
  | StartMessage
  | { readonly kind: 'stop'; readonly replaced: boolean }
  | AllRatesMessage
  | { readonly kind: 'read-metrics' }
  | { readonly kind: 'ping' }
  | PrimaryMessage;
