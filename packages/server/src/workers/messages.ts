import type { PrimarySeen } from '../database/postgres/primary-history.ts';
import type { StopOptions } from '../main.ts';

/** Where a worker finds the port that its supervisor has settled on. */
export const workerPortVariable = 'FIELDROSTER_WORKER_PORT';

/** Where a worker finds the newest primary that its supervisor knows of, as JSON. */
export const workerPrimaryVariable = 'FIELDROSTER_WORKER_PRIMARY';

/** Tells the other side of a newer primary of the database. */
interface PrimaryMessage {
  readonly kind: 'primary';
  readonly seen: PrimarySeen;
}

/** What a worker tells its supervisor. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly message: string }
  | PrimaryMessage;

/** What the supervisor tells a worker. */
export type SupervisorMessage = ({ readonly kind: 'stop' } & Required<StopOptions>) | PrimaryMessage;
