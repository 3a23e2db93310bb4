import type { RestartPause, RestartPlan } from './restart-pause.ts';

/** How a worker ended: with a code, or killed by a signal. */
export interface WorkerEnd {
  readonly exit_code: number | null;
  readonly signal: string | null;
}

/** The place of a worker that ended, and how long that one served. */
export interface ServedPlace {
  readonly pause: RestartPause;
  readonly servedMs: number;
}

export function describeEnd(servedMs: number, { endsInARow, pauseMs }: RestartPlan) {
  const served = { served_ms: Math.round(servedMs) };
  return pauseMs === 0 ? served : { ...served, ends_in_a_row: endsInARow, pause_ms: pauseMs };
}

export function endMessage({ pauseMs }: RestartPlan): string {
  if (pauseMs === 0) return 'a worker ended unexpectedly; starting another';
  return 'a worker ended unexpectedly, again soon after its start; starting another after a pause';
}

/** The message about a worker that was told to stop and ended with a failure. */
export const failedStop = 'a worker failed while it stopped; the lines before this one say why';

/** The message about a worker that was told to stop and was killed by somebody else, such as a kernel short of memory. */
export const killedStop = 'a worker was killed while it stopped';
