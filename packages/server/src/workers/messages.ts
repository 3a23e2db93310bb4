import type { StopOptions } from '../main.ts';

/** Where a worker finds the port that its supervisor has settled on. */
export const workerPortVariable = 'FIELDROSTER_WORKER_PORT';

/** What a worker tells its supervisor. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly message: string };

/** What the supervisor tells a worker. */
export type SupervisorMessage = { readonly kind: 'stop' } & Required<StopOptions>;
